import type { Screen } from './screen.ts'

/** A page of projects, once its subject is there. */
const projectPage = (name: string, path: string): Screen => ({
  name,
  signedIn: true,
  async arrive({ page }) {
    await page.goto(path)
    await page.locator('main [data-subject]').first().waitFor()
  },
})

export const projectScreens: readonly Screen[] = [
  projectPage('projects', '/project/?eid=0'),
  projectPage('project', '/project/1'),
]
