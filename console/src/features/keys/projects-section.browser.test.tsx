import type { projects } from '@busbar/contract'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { afterEach, expect, it, vi } from 'vitest'
import { page } from 'vitest/browser'
import { render } from '../../../test-support/render.tsx'
import { machineProjectsText as t } from '../../shared/i18n/en/machine-projects.ts'
import { type Administration, AdministrationProvider } from './administration.ts'
import { ProjectsSection } from './projects-section.tsx'

const project: projects.MachineProject = {
  ...{ id: 5, name: 'MES', owner: 'Ann', addedBy: 'Bo', addedAt: 1, stop: null },
  ...{ write: false, visit: true, wantsWrite: false, wantsVisit: true, consentBy: null, consentAt: null },
}
let changes: [method: string, path: string, body: unknown][]

async function draw(isAkey: boolean) {
  changes = []
  vi.stubGlobal('fetch', async (input: RequestInfo | URL, { method = 'GET', body }: RequestInit = {}) => {
    const { pathname } = new URL(String(input), location.origin)
    if (method !== 'GET') changes.push([method, pathname, body && JSON.parse(String(body))])
    return new Response(JSON.stringify({ hwcode: 0, hwdata: method === 'GET' ? [project] : {} }))
  })
  const administration = { machineId: 3, isAkey, refresh: async () => {} } as unknown as Administration
  await render(
    <QueryClientProvider client={new QueryClient()}>
      <AdministrationProvider value={administration}>
        <ProjectsSection />
      </AdministrationProvider>
    </QueryClientProvider>,
  )
}

afterEach(() => {
  vi.unstubAllGlobals()
})

it('the Akey consents to one thing without losing the other, and takes the device out', async () => {
  await draw(true)
  await page.getByRole('switch', { name: t.consentOf(t.columns.write, 'MES') }).click()
  const consent = { id: 5, machineId: 3, write: true, visit: true }
  await expect.poll(() => changes).toContainEqual(['POST', '/api/project/v1/consent', consent])
  await page.getByRole('button', { name: t.withdrawTitle('MES') }).click()
  await page.getByRole('dialog').getByRole('button', { name: t.withdraw }).click()
  await expect.poll(() => changes.at(-1)?.slice(0, 2)).toEqual(['DELETE', '/api/v1/machine/3/projects/5'])
})

it('a Bkey sees the consents, and cannot change them', async () => {
  await draw(false)
  const consent = page.getByRole('switch', { name: t.consentOf(t.columns.visit, 'MES') })
  await expect.element(consent).toBeChecked()
  await expect.element(consent).toBeDisabled()
  await expect.element(page.getByRole('button', { name: t.withdrawTitle('MES') })).not.toBeInTheDocument()
})
