// The table of the look-up row: prices of 2,000 articles in 5 bands of quantities, so 10,000 rows.
export const skus = 2_000;
export const bands = 5;

/** A whole number, so that totals are exact. */
export const priceOf = (sku, band) => 1 + ((sku * 7 + band * 13) % 97);

export function tableText() {
  const rows = [];
  for (let sku = 0; sku < skus; sku++)
    for (let band = 0; band < bands; band++) rows.push(`S-${sku},${10 * (band + 1)},${priceOf(sku, band)}`);
  return `sku is,quantity is at most,price\n${rows.join('\n')}\n`;
}
