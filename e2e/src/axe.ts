import axe, { type AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'

/** Everything axe is certain of. The page is one of reduced motion: half through a fade its colours would be too faint. */
export async function findFaults(page: Page, name: string): Promise<string[]> {
  // Evaluated, not added: the console's content security policy lets no script in, this one neither.
  await page.evaluate(`globalThis.axe ?? (() => { ${axe.source} })()`)
  // Without a preload, which copies imported style sheets into the page, against its policy, for one rule about turning.
  const { violations } = await page.evaluate<AxeResults>(
    'axe.run(document, { preload: false, resultTypes: ["violations"] })',
  )
  return violations.flatMap(({ id, impact, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${name}: ${id} (${impact}) ${target}: ${failureSummary}`),
  )
}
