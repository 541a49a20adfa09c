// Mistakes that people make when they change a workflow on a Friday afternoon. Each has to show: in `wf diff`, and in the check or in the cases
// that `wf test --generate` has made of the original.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { checkCommand } from '../../src/commands/check.js';
import { diffCommand } from '../../src/commands/diff.js';
import { fixture, halfOf, isSlow } from '../root.js';
import { folderWithData, inMemoryIo, wfTest } from '../testing/in-memory-io.js';

type Mistake = readonly [what: string, before: string, after: string];

const mistakes: Readonly<Record<string, readonly Mistake[]>> = {
  'gym-membership': [
    ['a boundary one year off', 'age is below 14', 'age is at most 14'],
    ['months for years', 'set age to years from', 'set age to months from'],
    ['dates in the wrong order', 'from request.birth-date to today', 'from today to request.birth-date'],
    ['or for and', '18 and request.guardian', '18 or request.guardian'],
    ['and for or', 'request.student or age', 'request.student and age'],
    ['the wrong choice', 'plan is "off-peak"', 'plan is "full"'],
    ['two percent for twenty', 'minus 20 percent', 'minus 2 percent'],
    ['plus for minus', 'fee minus 20', 'fee plus 20'],
    ['days for weeks', 'plus 2 weeks', 'plus 2 days'],
    ['the wrong currency', '"EUR"', '"USD"'],
    ['the wrong addressee', 'to "desk@example.com" and', 'to "members@example.com" and'],
    ['a misspelled field of an answer', 'complete with number member.number', 'complete with number member.nummer'],
  ],
  'travel-claim': [
    ['a forgotten not', 'if not line.receipt', 'if line.receipt'],
    ['a limit of amounts', 'amount is above 25', 'amount is above 250'],
    ['the wrong currency compared', 'is not "EUR"', 'is not "CHF"'],
    ['times for divided by', 'line.amount divided by rate.per-euro', 'line.amount times rate.per-euro'],
    ['a misspelled field of an answer', 'rate.per-euro', 'rate.per-eur'],
    ['the amount before the conversion', 'set total to total plus amount', 'set total to total plus line.amount'],
    ['a wrong sign', 'total plus allowance', 'total minus allowance'],
    ['the wrong of two amounts', 'if paid is above 500', 'if total is above 500'],
    ['the wrong of two amounts is paid', 'employee and amount paid', 'employee and amount total'],
    ['the question to the wrong person', 'addressed to request.manager', 'addressed to request.employee'],
    ['a longer time to answer', 'within 5 working days', 'within 5 weeks'],
    ['branches swapped', 'decision is "decline"', 'decision is "approve"'],
    ['a forgotten skip', '            skip\n', ''],
  ],
  restock: [
    ['a boundary of each', 'level is at most article.minimum', 'level is below article.minimum'],
    ['the wrong field of each', 'article.level is at most', 'article.sold is at most'],
    ['a wrong sign', 'times 2 minus article.level', 'times 2 plus article.level'],
    ['above for below', 'wanted is below article.packed', 'wanted is above article.packed'],
    ['the wrong quantity', 'quantity wanted', 'quantity article.packed'],
    ['the wrong unit of a wait', 'waiting 10 minutes', 'waiting 10 seconds'],
    ['fewer retries', 'retry 3 times', 'retry 1 times'],
    ['the wrong addressee', '"finance@example.com"', '"buying@example.com"'],
    ['the wrong row', 'where sku article.sku', 'where sku order.number'],
    ['a count outside of the loop', '        set ordered to ordered plus 1', '    set ordered to ordered plus 1'],
    ['a boundary of a sum', 'value is above 5000', 'value is above 500'],
  ],
  'parcel-price': [
    ['a cell of a table', '| 2       | 2                 | 9.9', '| 2       | 2                 | 8.9'],
    ['a limit in a table', '| 1       | 10                | 7.9', '| 1       | 11                | 7.9'],
    ['a country in the wrong zone', '"AT", "CH"      | 2', '"AT", "FR"      | 2'],
    ['a row that is missing', '        | 3       | 10                | 19.9  | 6    |\n', ''],
    ['a boundary', 'total is at least 100', 'total is above 100'],
    ['the wrong zone', 'and zone is 1', 'and zone is 2'],
    ['ends for starts', 'starts with "SHIP"', 'ends with "SHIP"'],
    ['a forgotten limit', '        if price is below 0:\n            set price to 0\n', ''],
    ['a wrong amount', 'price plus 12.5', 'price plus 125'],
    ['days for working days', 'days working days', 'days days'],
    ['the wrong currency', '"EUR"', '"CHF"'],
    ['steps in the wrong order', '        set days to 1\n', ''],
  ],
  'rent-arrears': [
    ['a boundary of days', 'late is below 5', 'late is at most 5'],
    ['weeks for days', 'set late to days', 'set late to weeks'],
    ['a tenth of a percentage', '1.5 percent', '0.15 percent'],
    ['the wrong amount of a percentage', 'percent of request.arrears', 'percent of request.rent'],
    ['above for below', 'if fee is below 10', 'if fee is above 10'],
    ['a fee that nobody owes', 'request.arrears plus fee', 'request.arrears'],
    ['the wrong currency', '"GBP"', '"EUR"'],
    ['the wrong unit of a wait', 'at most 14 days', 'at most 14 hours'],
    ['the wrong message', 'wait for payment with', 'wait for promise with'],
    ['three rents for two', 'at least 2 times', 'at least 3 times'],
    ['the wrong of two amounts', 'payment.amount is below owed', 'payment.amount is below request.arrears'],
    ['a misspelled field of a message', 'minus payment.amount', 'minus payment.amuont'],
    ['a rest with the wrong sign', 'owed minus payment.amount', 'payment.amount minus owed'],
  ],
  'support-triage': [
    ['the wrong words', '"Automatic reply"', '"Out of office"'],
    ['contains for starts with', 'subject starts with', 'subject contains'],
    ['and for or', '"gold" or customer', '"gold" and customer'],
    ['the wrong tier', 'tier is "gold"', 'tier is "silver"'],
    ['a limit of a confidence', 'at least 0.6', 'at least 0.9'],
    ['a limit of an answer', 'open-tickets is above 3', 'open-tickets is above 30'],
    ['a misspelled field', 'customer.open-tickets', 'customer.open-ticket'],
    ['the wrong list', 'queue topic', 'queue priority'],
    ['the wrong choice of an AI', 'topic is "outage"', 'topic is "invoice"'],
    ['the wrong unit of a wait', 'wait 2 hours', 'wait 2 days'],
    ['steps in the wrong order', '    set priority to "normal"\n', ''],
    ['a forgotten not', 'ticket.answered does not exist', 'ticket.answered exists'],
  ],
  'hotel-booking': [
    ['on the day itself', 'is on or before request.arrival', 'is before request.arrival'],
    ['the wrong date', 'if request.arrival is before today', 'if request.departure is before today'],
    ['a boundary of nights', 'nights is above 28', 'nights is at least 28'],
    ['the wrong status', 'failure.status is 404', 'failure.status is 503'],
    ['a factor that is missing', ' times request.rooms', ''],
    ['a wrong boundary of a rebate', 'nights is at least 7', 'nights is above 7'],
    ['down for up', 'rounded up to', 'rounded down to'],
    ['the wrong amount', 'amount deposit', 'amount price'],
    ['a hold that stays', '            delete hold using Rooms at "/holds/{hold.id}"\n', ''],
    ['weeks for days', 'minus 3 days', 'minus 3 weeks'],
    ['the wrong id', 'with offer offer.id', 'with offer request.guest'],
    ['a wrong path', '"/holds/{hold.id}" with', '"/holds/{offer.id}" with'],
  ],
  bonus: [
    ['years for months', 'if months from', 'if years from'],
    ['a forgotten not', 'review.by is not request.employee.id', 'review.by is request.employee.id'],
    ['the wrong field of each', 'review.score for each review in own', 'review.score for each review in request.reviews'],
    ['a boundary of a score', 'at least 4.5', 'above 4.5'],
    ['branches swapped', 'set share to 12', 'set share to 8'],
    ['a percentage of the wrong amount', 'share percent of request.employee.salary', 'share percent of 100'],
    ['a limit ten times as high', 'set bonus to 10000', 'set bonus to 1000'],
    ['and for or', '30 or share', '30 and share'],
    ['an answer by default', 'set answer to "do not pay"', 'set answer to "pay"'],
    ['a different question', 'look at the bonus', 'look at the raise'],
    ['a shorter time', 'within 2 weeks', 'within 2 days'],
    ['the wrong person is paid', 'with employee request.employee.id', 'with employee request.employee.manager'],
  ],
  'energy-bill': [
    ['the wrong end of the readings', 'lowest of group.items.meter', 'highest of group.items.meter'],
    ['above for below in a table', '"day"   | 1000 ', '"day"   | 100  '],
    ['grams for kilograms', 'divided by 100)', 'divided by 1000)'],
    ['years for months', 'months from contract.since', 'years from contract.since'],
    ['a limit of months', 'stayed is below 12', 'stayed is below 21'],
    ['a percentage of a part', '19 percent of (total plus fixed)', '19 percent of total'],
    ['or for and', 'winter.cold and gross', 'winter.cold or gross'],
    ['the first deposit alone', 'sum of request.deposits', 'first of request.deposits'],
    ['a refund with the wrong sign', 'amount absolute value of open', 'amount open'],
    ['a boundary of what is owed', 'if open is at most 5', 'if open is below 5'],
    ['a date in another form', '"DD.MM.YYYY"', '"MM.DD.YYYY"'],
    ['an answer by default', 'record with cold false', 'record with cold true'],
  ],
  visa: [
    ['a digit too few', '"C########"', '"C#######"'],
    ['weeks for months', 'until plus 3 months', 'until plus 3 weeks'],
    ['minus for plus', 'request.until plus 3', 'request.until minus 3'],
    ['the longest stay', 'nights is above 365', 'nights is at least 365'],
    ['papers of another purpose', 'purpose is "study":', 'purpose is "visit":'],
    ['the wrong message', 'wait for papers with', 'wait for letters with'],
    ['the wrong way of a count', 'later.count is below missing.count', 'later.count is above missing.count'],
    ['a forgotten not', 'purpose is not "work" and', 'purpose is "work" and'],
    ['the wrong of two counts', 'later.count is below missing.count', 'later.count is below needed.count'],
    ['times for plus', 'per-day to 45 plus (20 times', 'per-day to 45 times (20 plus'],
    ['some for every', 'if every entry in', 'if some entry in'],
    ['the wrong of two dates', 'visit.left is after today', 'visit.left is after request.from'],
    ['the wrong person', 'ask Chief to decide', 'ask Officer to decide'],
  ],
  renewal: [
    ['the wrong status', 'failure.status is 410', 'failure.status is 401'],
    ['a limit of a table', '| 50                | 14', '| 500               | 14'],
    ['months for a year', 'request.seats times 12\n    set extras', 'request.seats\n    set extras'],
    ['a forgotten not', 'if not wanted', 'if wanted'],
    ['the wrong field of a record', 'if name is "audit"', 'if name is "backup"'],
    ['a limit of years', 'years is at least 3', 'years is at least 5'],
    ['rebates swapped', 'minus 15 percent', 'minus 10 percent'],
    ['currencies swapped', 'currency is "USD"', 'currency is "CHF"'],
    ['down for up', 'rounded up to 0 places', 'rounded down to 0 places'],
    ['a state that is forgotten', 'one of ["captured", "settled"]', 'one of ["captured"]'],
    ['the wait does not grow', '                    set wait-days to wait-days times 2\n', ''],
    ['one try for three', 'at most 3 times', 'at most 1 times'],
    ['the date of another year', 'today plus 1 year', 'today plus 1 month'],
  ],
  'lift-callout': [
    ['a prefix without its hyphen', 'starts with "basic-"', 'starts with "basic"'],
    ['rarer reminders', 'remind every 20 minutes', 'remind every 2 hours'],
    ['a call that may be sent twice', 'ticket request.ticket\n            at most once', 'ticket request.ticket'],
    ['a request that may be handled twice', '    once for each: request.ticket for 30 days\n', ''],
    ['a forgotten holiday', ', "2026-12-25"', ''],
    ['a longer time limit of a service', 'with timeout 10 seconds', 'with timeout 100 seconds'],
    ['a boundary of days', 'is above 365', 'is at least 365'],
    ['the end of another month', 'end of month of today', 'end of month of request.reported'],
    ['a boundary of hours', 'hour is at least 22', 'hour is above 22'],
    ['more time to answer', 'within 2 hours', 'within 2 days'],
  ],
  'parental-leave': [
    ['weeks of notice', 'plus 7 weeks', 'plus 6 weeks'],
    ['the eldest for the youngest', 'sorted by born descending', 'sorted by born'],
    ['months until the wrong day', 'months from request.hired to request.from', 'months from request.hired to today'],
    ['a cap in a table', '65   | 1800', '65   | 1880'],
    ['digits swapped', 'allowance plus 75', 'allowance plus 57'],
    ['the question to the wrong person', 'addressed to request.manager', 'addressed to request.employee'],
    ['weeks for days of reminders', 'remind every 3 days', 'remind every 3 weeks'],
    ['a try less', 'at most 3 times', 'at most 2 times'],
    ['the wrong method', '        sent as PUT\n', ''],
    ['the wrong number in a header', 'leave {length}', 'leave {months}'],
    ['a boundary of a second child', 'today is below 6', 'today is at most 6'],
    ['the youngest for each child', 'years from child.born to today', 'years from youngest.born to today'],
  ],
  'returned-goods': [
    ['the wrong date of an order', 'from order.delivered to today', 'from order.ordered to today'],
    ['a boundary of a quantity', 'quantity is above bought.quantity', 'quantity is at least bought.quantity'],
    ['an end ten times as early', 'refund is at least 5000', 'refund is at least 500'],
    ['days for working days', 'within 3 working days', 'within 3 days'],
    ['an answer by default', '                set decision to "pay"', '                set decision to "half"'],
    ['waits that do not grow', 'waiting 1 minute doubling', 'waiting 1 minute'],
    ['hours for days', 'at most 21 days', 'at most 21 hours'],
    ['and for or', '"voucher" or refund', '"voucher" and refund'],
    ['cents that are lost', 'amount refund rounded to 2 places', 'amount refund rounded to 0 places'],
    ['a tenth of a time limit', 'with timeout 45 seconds', 'with timeout 4 seconds'],
  ],
  'car-claim': [
    ['a boundary of an age in a variable', 'age is below 25', 'age is at most 25'],
    ['an age on another day', 'request.driver.born to request.happened', 'request.driver.born to today'],
    ['up for to', 'rate.value rounded to 2 places', 'rate.value rounded up to 2 places'],
    ['a forgotten rounding', 'rate.value rounded to 2 places', 'rate.value'],
    ['the date of another document', 'from request.driver.licence to', 'from request.driver.born to'],
    ['a forgotten otherwise', 'otherwise if request.photos', 'if request.photos'],
    ['the amount in the wrong currency', 'if damage is at most excess', 'if request.damage is at most excess'],
    ['currencies swapped', 'from "EUR" and to "GBP"', 'from "GBP" and to "EUR"'],
    ['and for or', 'injured or paid', 'injured and paid'],
    ['the wrong account', 'account policy.account', 'account request.policy'],
  ],
  'supplier-invoices': [
    ['a limit behind two amounts', 'gross is above 5000', 'gross is above 50000'],
    ['a forgotten not', 'approved-by does not exist', 'approved-by exists'],
    ['dates swapped', 'from today to invoice.due', 'from invoice.due to today'],
    ['a discount in a table', '10000              | 1.5', '10000              | 2.5'],
    ['the wrong of two amounts in a look-up', 'volume invoice.net', 'volume gross'],
    ['a percentage of the wrong amount', 'percent of invoice.net)', 'percent of gross)'],
    ['the amount before the discount', 'total plus payable', 'total plus gross'],
    ['a boundary of a sum', 'total is at least 50000', 'total is above 50000'],
    ['a half that is the whole', 'minus half', 'minus total'],
    ['up for down', 'rounded down to', 'rounded up to'],
    ['hours for days', 'wait 14 days', 'wait 14 hours'],
    ['an answer by default', 'set answer to "hold"', 'set answer to "release"'],
    ['the whole list for some of it', 'for each invoice in own:', 'for each invoice in request.invoices:'],
  ],
  'warranty-repair': [
    ['a limit in a variable', 'months is below limit', 'months is at most limit'],
    ['years for months', 'set months to months', 'set months to years'],
    ['the wrong kind', 'kind is "battery"', 'kind is "screen"'],
    ['the price of another zone', '19.90', '29.90'],
    ['a country in the wrong row', 'one of "AT", "CH"', 'one of "AT", "FR"'],
    ['a boundary of two amounts', 'price is below cost', 'price is at most cost'],
    ['the wrong of two amounts', 'if due is above 100', 'if cost is above 100'],
    ['a forgotten rounding', ' rounded to 2 places', ''],
    ['steps in the wrong order', '    wait until pickup\n', ''],
    ['an uncertain answer', 'at least 0.8', 'above 0.8'],
  ],
  'school-place': [
    ['a boundary behind every', 'is at least 20', 'is above 20'],
    ['a boundary of a sum', 'income is at most 60000', 'income is below 60000'],
    ['to for up', 'rounded up to 0', 'rounded to 0'],
    ['some for every', 'if every parent', 'if some parent'],
    ['the highest for the sum', 'sum of request.parents.income', 'highest of request.parents.income'],
    ['the last wish for the first', '            stop the loop\n', ''],
    [
      'another wish is not tried',
      '                    skip\n                reject',
      '                    stop the loop\n                reject',
    ],
    ['the first parent for each', 'with to parent.mail', 'with to request.parents.0.mail'],
    ['weeks for days', 'plus 14 days', 'plus 14 weeks'],
    ['another field of an answer', 'with offer offer.number at', 'with offer offer.id at'],
  ],
  'leak-alarm': [
    ['the wrong counter', 'if high is below 2', 'if readings is below 2'],
    ['a choice with another name', '"someone showers", "nobody home"', '"someone showers", "nobody there"'],
    ['no answer is forgotten', 'is one of ["leak", "unknown"]', 'is "leak"'],
    ['a forgotten otherwise', '        otherwise:\n            stop the loop\n', ''],
    ['a number of rounds', 'at most 4 times', 'at most 3 times'],
  ],
  'library-fines': [
    ['a count of items', 'lost-count is at least 3', 'lost-count is above 3'],
    ['a forgotten skip', 'plus 1\n            skip\n', 'plus 1\n'],
    ['a forgotten limit', '        if fine is above cap:\n            set fine to cap\n', ''],
    ['days for working days', 'set days to working days', 'set days to days'],
    ['nobody answers', 'on failure:\n                set answer to "block"', 'on failure:\n                set answer to "wait"'],
  ],
};

const sourceOf = (name: string): string => readFileSync(fixture('..', 'test', 'analysis', 'mistakes', `${name}.wf`), 'utf8');

/** Each takes some hundred runs with the cases that are generated, which takes seconds: all of them take ten minutes. */
const isEach = process.env.WF_TEST_MISTAKES === 'all';

/** In `npm test`, those of two workflows. */
const places = [...Object.entries(mistakes).entries()].filter(([place]) => isEach || isSlow || place % 4 === 1);

/** Others for each workflow, so that all kinds are among them. */
const chosen = (list: readonly Mistake[], place: number): readonly Mistake[] => {
  const part = isSlow ? 4 : 12;
  return isEach ? list : halfOf(list.filter((_, index) => index % part === place % part));
};

for (const [place, [name, list]] of places) {
  const isGenerated = isEach || (isSlow ? place % 4 === 0 : place === 1);
  test(`shows each mistake in ${name}`, async (t) => {
    const original = sourceOf(name);
    const folder = folderWithData(t, { 'case.wf': original });
    let cases: string | undefined;
    if (isGenerated) {
      const generated = await wfTest(folder, ['case.wf'], { generate: true });
      assert.equal(generated.exit, 0, generated.err);
      cases = readFileSync(path.join(folder, 'case.test.json'), 'utf8');
    }
    const hidden: string[] = [];
    let tested = 0;
    for (const [what, before, after] of chosen(list, place)) {
      assert.ok(original.includes(before), `${what}: ${before}`);
      const changed = folderWithData(t, {
        'old.wf': original,
        'case.wf': original.replace(before, after),
        ...(cases === undefined ? {} : { 'case.test.json': cases }),
      });
      const shownBy = await shows(changed, cases !== undefined);
      t.diagnostic(`${what}: ${shownBy.join(', ')}`);
      if (!shownBy.includes('diff') && !shownBy.includes('check')) hidden.push(what);
      if (shownBy.includes('cases') || shownBy.includes('check')) tested++;
    }
    assert.deepEqual(hidden, []);
    // Settings change no run with mock services.
    if (isEach) assert.ok(tested >= list.length / 5, `${tested} are shown by the cases that were generated before`);
  });
}

async function shows(folder: string, hasCases: boolean): Promise<string[]> {
  const io = () => inMemoryIo(folder, { WF_CACHE: 'off' });
  const checking = io();
  const isChecked = (await checkCommand(['case.wf'], { strict: true }, checking)) !== 0;
  const isTested = hasCases && !isChecked && (await wfTest(folder, ['case.wf'])).exit !== 0;
  const isDifferent = !isChecked && (await diffCommand(['old.wf', 'case.wf'], { exitCode: true }, io())) === 1;
  return [...(isChecked ? ['check'] : []), ...(isTested ? ['cases'] : []), ...(isDifferent ? ['diff'] : [])];
}
