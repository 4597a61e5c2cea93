import type { TestProject } from 'vitest/node'
import { provideSites } from './shared-site.ts'

/** Vitest's global setup of the stories over nodes: one platform of several processes behind a proxy. */
export default function setup(project: TestProject): Promise<() => Promise<void>> {
  return provideSites(project, 1, true)
}
