// The ready-made operations on lists that are measured: the expression of the workflow, and the same in handwritten JavaScript.
export const operations = {
  where: {
    expression: 'each row in request.rows where row.price is above 50 and row.country is "C7"',
    byHand: (rows) => rows.filter((row) => row.price > 50 && row.country === 'C7'),
  },
  'a value for each': {
    expression: 'row.name for each row in request.rows',
    byHand: (rows) => rows.map((row) => row.name),
  },
  'sum of a product for each': {
    expression: 'sum of (row.price times row.quantity for each row in request.rows)',
    byHand: (rows) => rows.reduce((total, row) => total + row.price * row.quantity, 0),
  },
  'sum of a field': {
    expression: 'sum of request.rows.price',
    byHand: (rows) => rows.reduce((total, row) => total + row.price, 0),
  },
  'sorted by a number': {
    expression: 'request.rows sorted by price',
    byHand: (rows) => [...rows].sort((one, other) => one.price - other.price),
  },
  'sorted by a text': {
    expression: 'request.rows sorted by name',
    byHand: (rows) => [...rows].sort((one, other) => (one.name < other.name ? -1 : one.name > other.name ? 1 : 0)),
  },
  'grouped by': {
    expression: 'request.rows grouped by country',
    byHand(rows) {
      const groups = new Map();
      for (const row of rows) {
        const items = groups.get(row.country);
        if (items === undefined) groups.set(row.country, [row]);
        else items.push(row);
      }
      return Array.from(groups, ([key, items]) => ({ key, items }));
    },
  },
};

export const programOf = ({ expression }) => `config:
    name: "An operation"
    version: 1

workflow:
    trigger: when the rows of a month are in

    set result to ${expression}
    if request.shows-result is true:
        complete with result result
    complete with done true
`;
