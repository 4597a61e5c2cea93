import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterProvider,
} from '@tanstack/react-router'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { page } from 'vitest/browser'
import { render } from '../../../../test-support/render.tsx'
import { machineListQuery } from '../../../entities/machine/machine-queries.ts'
import { reportsText } from '../../../shared/i18n/en/reports.ts'
import { personQuery } from '../../../shared/session/account-queries.ts'
import { NewReport } from './new-report.tsx'

const { edit } = reportsText
/** The calls for the people who can receive the report. */
let asked: string[] = []

beforeEach(() => {
  asked = []
  vi.stubGlobal('fetch', async (input: RequestInfo | URL) => {
    const url = String(input)
    if (!url.includes('recipients')) return new Response(JSON.stringify({ hwcode: 0, hwdata: null }))
    asked.push(url)
    const people = [{ userId: 7, name: 'Maria', hasEmail: true, state: 'none' }]
    return new Response(JSON.stringify({ hwcode: 0, hwdata: { people, contacts: [] } }))
  })
})
afterEach(() => {
  vi.unstubAllGlobals()
})

async function draw() {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false, staleTime: 60_000 } } })
  client.setQueryData(personQuery.queryKey, { userid: 7 } as never)
  const press = { id: 1, name: 'Press 1', code: '101', level: 9 }
  client.setQueryData(machineListQuery('en').queryKey, { version: '1', list: [press] } as never)
  const root = createRootRoute()
  const shell = createRoute({ getParentRoute: () => root, id: 'shell' })
  const reports = createRoute({
    getParentRoute: () => shell,
    path: '/dataCenter/reports',
    component: () => <NewReport space={{ enterprise: undefined, asked: {} }} tagIds={[]} />,
  })
  const router = createRouter({
    routeTree: root.addChildren([shell.addChildren([reports])]),
    history: createMemoryHistory({ initialEntries: ['/dataCenter/reports'] }),
  })
  await render(
    <QueryClientProvider client={client}>
      <RouterProvider router={router as never} />
    </QueryClientProvider>,
  )
}

const option = (name: string) => page.getByRole('option', { name: new RegExp(name) })
const status = (text: string) => page.getByRole('status').filter({ hasText: text })

it('asks for the recipients once a device is chosen, has the author as one, and says when there is none', async () => {
  await draw()
  await page.getByRole('textbox', { name: edit.name }).fill('Daily')
  expect(asked).toEqual([])
  await option('Press 1').click()
  await expect.element(option('Maria')).toHaveAttribute('aria-selected', 'true')
  expect(asked.every((url) => url.includes('machineIds=1'))).toBe(true)
  await option('Maria').click()
  await expect.element(status(edit.nobody)).toBeVisible()
})

it('names beside Save what is missing', async () => {
  await draw()
  await page.getByRole('button', { name: edit.save, exact: true }).click()
  for (const missing of [edit.noName, edit.noMachines, edit.noTags])
    await expect.element(status(missing)).toBeVisible()
})
