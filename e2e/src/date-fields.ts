import type { Locator } from 'playwright-core'

/** Types moments into a date field of the console, one after the other, each such as `2026-11-22T14:35`. */
export async function typeMoments(field: Locator, ...moments: readonly string[]): Promise<void> {
  await field.getByRole('spinbutton').first().click()
  // Each part of a date moves on to the next once it is complete.
  await field.page().keyboard.type(moments.join('').replace(/\D/g, ''))
}
