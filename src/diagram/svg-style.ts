// The look of a drawing: the rules of its style sheet, for light and dark pages and for paper. Without colours, shapes and borders still
// tell its parts apart. Plain rules without variables, because not every program that shows SVG knows those.

interface Palette {
  readonly page: string;
  readonly ink: string;
  readonly soft: string;
  readonly edge: string;
  readonly frame: string;
  readonly frameEdge: string;
  readonly call: string;
  readonly callEdge: string;
  readonly ask: string;
  readonly askEdge: string;
  readonly choice: string;
  readonly choiceEdge: string;
  readonly good: string;
  readonly bad: string;
  readonly onGood: string;
  readonly onBad: string;
  readonly missed: string;
  readonly missedInk: string;
  readonly lit: string;
}

const light: Palette = {
  page: '#ffffff',
  ink: '#1f2328',
  soft: '#57606a',
  edge: '#8c959f',
  frame: '#f6f8fa',
  frameEdge: '#d0d7de',
  call: '#ddf4ff',
  callEdge: '#0969da',
  ask: '#fff8c5',
  askEdge: '#9a6700',
  choice: '#fbefff',
  choiceEdge: '#8250df',
  good: '#1a7f37',
  bad: '#b3202c',
  onGood: '#ffffff',
  onBad: '#ffffff',
  missed: '#dfe3e8',
  missedInk: '#59636e',
  lit: '#0550ae',
};
const dark: Palette = {
  page: '#0d1117',
  ink: '#e6edf3',
  soft: '#9198a1',
  edge: '#6e7681',
  frame: '#151b23',
  frameEdge: '#30363d',
  call: '#0c2d4d',
  callEdge: '#58a6ff',
  ask: '#342a03',
  askEdge: '#d4a72c',
  choice: '#271a45',
  choiceEdge: '#a371f7',
  good: '#238636',
  bad: '#c93c37',
  onGood: '#ffffff',
  onBad: '#ffffff',
  missed: '#2a313a',
  missedInk: '#9198a1',
  lit: '#79c0ff',
};
const paper: Palette = {
  ...light,
  ink: '#000000',
  soft: '#333333',
  edge: '#000000',
  frame: '#ffffff',
  frameEdge: '#777777',
  lit: '#000000',
  call: '#ffffff',
  callEdge: '#000000',
  ask: '#ffffff',
  askEdge: '#000000',
  choice: '#ffffff',
  choiceEdge: '#000000',
  good: '#333333',
  bad: '#ffffff',
  onBad: '#000000',
};

const colours = (of: Palette): readonly string[] => [
  `.page{fill:${of.page};stroke:none}`,
  `text{fill:${of.ink}}`,
  `.together>text,.number{fill:${of.soft}}`,
  `.frame{fill:${of.frame};stroke:${of.frameEdge}}`,
  `.frame.loop{stroke:${of.edge}}`,
  `rect{fill:${of.page};stroke:${of.edge}}`,
  `.call>rect,.call>path{fill:${of.call};stroke:${of.callEdge}}`,
  `.ask>rect{fill:${of.ask};stroke:${of.askEdge}}`,
  `.start>rect{fill:${of.frame}}`,
  `.lane>path{fill:${of.choice};stroke:${of.choiceEdge}}`,
  `.fork{fill:${of.ink};stroke:none}`,
  `.knot{fill:${of.page};stroke:${of.edge}}`,
  `.complete>rect{fill:${of.good};stroke:${of.good}}`,
  `.complete>text{fill:${of.onGood}}`,
  `.reject>rect{fill:${of.bad};stroke:${of.bad}}`,
  `.reject>.rim{stroke:${of.bad === of.page ? of.ink : of.bad}}`,
  `.reject>text{fill:${of.onBad}}`,
  `.faint.complete>rect,.faint.reject>rect{fill:${of.page}}`,
  `.faint.complete>text,.faint.reject>text{fill:${of.ink}}`,
  `.way{stroke:${of.edge}}`,
  `.tip{fill:${of.edge}}`,
  `.way.lit{stroke:${of.lit}}`,
  `.tip.lit{fill:${of.lit}}`,
  `.lit>rect,.lane.lit>path{stroke:${of.lit}}`,
  `.missed>rect,.missed>path{fill:${of.missed};stroke:${of.soft}}`,
  `.missed>.rim{stroke:${of.soft}}`,
  `.missed>text{fill:${of.missedInk}}`,
];

const shapes: readonly string[] = [
  'text{font-family:system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif;font-size:13px}',
  '.heading{font-size:19px;font-weight:600}',
  '.number{font-size:10px;text-anchor:end}',
  '.step>text:not(.number){font-weight:600}',
  '.caption{font-size:11px;font-weight:600}',
  '.frame.loop,.ask>rect,.knot{stroke-width:1.5}',
  '.wait>rect,.unreadable>rect{stroke-dasharray:5 3}',
  '.lane.trouble>path{stroke-dasharray:4 3}',
  '.way{fill:none;stroke-width:1.5}',
  '.way.trouble{stroke-dasharray:5 3}',
  '.reject>.rim{fill:none;stroke-width:1.5}',
  '.way.lit,.lit>rect,.lane.lit>path{stroke-width:3}',
  '.faint>rect,.faint>path,.way.faint,.tip.faint{opacity:.4}',
  '.faint>text{opacity:.6}',
  '.missed>rect,.missed>path,.way.missed{stroke-dasharray:2 3}',
];

/** Only inside of drawings, which may stand in a page. */
const sheet = (rules: readonly string[]): string =>
  rules
    .map((rule) => {
      const [selectors = '', look] = rule.split('{');
      const all = selectors.split(',').map((selector) => `.wf-drawing ${selector}`);
      return `${all.join(',')}{${look}`;
    })
    .join('\n');

/** The style sheet of a drawing: the content of its `<style>`. */
export const svgStyle: string = `${sheet([...shapes, ...colours(light)])}
@media (prefers-color-scheme:dark){${sheet(colours(dark))}}
@media print{${sheet(colours(paper))}}`;
