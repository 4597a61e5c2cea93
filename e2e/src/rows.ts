import type { Locator, Page } from 'playwright-core'

/** The row of a list that says this: a row of its grid, or on a phone a card. */
export function findRow(page: Pick<Page, 'getByRole'>, text: string | RegExp): Locator {
  return page.getByRole('row').or(page.getByRole('listitem')).filter({ hasText: text })
}
