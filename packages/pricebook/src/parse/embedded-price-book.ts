/** The price book of this release. A bundle that moves the code must copy this file or pass its bytes. */
export const embeddedPriceBookUrl = new URL('../../book/pricebook.json.br', import.meta.url)
