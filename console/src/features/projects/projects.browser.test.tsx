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
import { at, machine, otherMachine, project, projectOfMember } from '../../../test-support/project-answers.ts'
import { render } from '../../../test-support/render.tsx'
import { projectDetailText } from '../../shared/i18n/en/project-detail.ts'
import { projectsText } from '../../shared/i18n/en/projects.ts'
import { personQuery } from '../../shared/session/account-queries.ts'
import { projectScreen, projectsScreen } from './route.ts'

const ownServer = { id: 1, name: 'busbar.example', host: 'busbar.example', port: 8_883 }

let answers: Record<string, unknown>
/** The calls that change something: the path, and the request. */
let changes: [path: string, request: unknown][]

beforeEach(() => {
  changes = []
  answers = {
    '/api/project/get': [project],
    '/api/project/getServer': [ownServer],
    '/api/enterprises/userEnterpriseList': [],
  }
  vi.stubGlobal('fetch', async (input: RequestInfo | URL, { body }: RequestInit = {}) => {
    const { pathname } = new URL(String(input), location.origin)
    if (!(pathname in answers)) changes.push([pathname, JSON.parse(String(body ?? '{}'))])
    return new Response(JSON.stringify({ hwcode: 0, hwdata: answers[pathname] ?? {} }))
  })
})
afterEach(() => {
  vi.unstubAllGlobals()
})

async function open(address: string) {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  client.setQueryData(personQuery.queryKey, { userid: 7 } as never)
  const root = createRootRoute()
  const shell = createRoute({ getParentRoute: () => root, id: 'shell' })
  const parent = { getParentRoute: () => shell }
  const pages = [createRoute({ ...parent, ...projectsScreen }), createRoute({ ...parent, ...projectScreen })]
  const router = createRouter({
    routeTree: root.addChildren([shell.addChildren(pages as never) as never]),
    history: createMemoryHistory({ initialEntries: [address] }),
  })
  await render(
    <QueryClientProvider client={client}>
      <RouterProvider router={router as never} />
    </QueryClientProvider>,
  )
  return router
}

const button = (name: string | RegExp) => page.getByRole('button', { name })
const dialog = page.getByRole('dialog')

it('a list says of each project its state, what is left of its quota, and how far it is behind', async () => {
  const router = await open('/project/?eid=0')
  const row = page.getByRole('row').filter({ hasText: 'MES Halle 3' })
  for (const words of [projectsText.states.failing, '30,000 of 200,000 rows left', '2 h', 'ERP'])
    await expect.element(row.getByText(words, { exact: true })).toBeVisible()
  await row.click()
  await expect.poll(() => router.state.location.pathname).toBe('/project/5')
})

it('an invitation is answered in the list, which lacks the project until then', async () => {
  answers['/api/project/get'] = [{ ...project, invitedBy: 'Bo' }]
  await open('/project/?eid=0')
  await expect.element(page.getByText(projectsText.list.empty)).toBeVisible()
  await button(new RegExp(projectsText.invitations.accept)).click()
  expect(changes).toContainEqual(['/api/project/v1/invitation', { id: 5, accept: true }])
})

it('without projects the list explains them, and makes the first one', async () => {
  answers['/api/project/get'] = []
  answers['/api/project/add'] = { id: 5 }
  const router = await open('/project/?eid=0')
  await expect.element(page.getByText(projectsText.list.emptyHint)).toBeVisible()
  await button(projectsText.list.add).click()
  await dialog.getByRole('textbox', { name: projectsText.create.name }).fill('MES')
  await dialog.getByRole('button', { name: projectsText.create.submit }).click()
  await expect.poll(() => router.state.location.pathname).toBe('/project/5')
})

it('a device that stopped says why, and who has the right takes it over', async () => {
  const t = projectDetailText.machines
  answers['/api/project/getMachine'] = [machine, otherMachine({ id: 4, name: 'Press 2', stop: 'memberLeft' })]
  await open('/project/5/machines')
  await expect.element(page.getByText(t.stops.memberLeft)).toBeVisible()
  // The address of the overview begins that of every part, and its tab was lit beside theirs.
  const lit = page.getByRole('navigation').element().querySelectorAll('[aria-current="page"]')
  expect([...lit].map(({ textContent }) => textContent)).toEqual([projectsText.parts.machines])
  await button(`${t.takeOver} Press 2`).click()
  expect(changes).toContainEqual(['/api/project/v1/takeMachine', { id: 5, machineId: 4 }])
})

it('a list that offers pages leads into the online devices that the reader may enter', async () => {
  answers['/api/project/getMachine'] = [
    { ...machine, mayOpen: true },
    { ...otherMachine({ id: 4, name: 'Press 2', stop: null }), mayOpen: true, online: false },
    otherMachine({ id: 6, name: 'Press 3', stop: null }),
  ]
  await open('/project/5/machines')
  await expect.element(page.getByText('Press 3', { exact: true })).toBeVisible()
  const links = page.getByRole('link', { name: /^Enter/ })
  await expect.element(links).toHaveAttribute('href', '/visit/3')
})

it('any member lets the list offer pages', async () => {
  const t = projectDetailText.settings
  answers['/api/project/get'] = [projectOfMember]
  await open('/project/5/settings')
  await page.getByRole('switch', { name: t.pages }).click()
  await expect.poll(() => changes).toContainEqual(['/api/project/edit', { id: 5, picture: true }])
})

it('the interval says what it costs, and is set at once', async () => {
  const t = projectDetailText.settings
  answers['/api/project/v1/keys'] = [
    { createdAt: at, endsAt: null, lastUsedAt: at, lastUsedFrom: '203.0.113.7' },
  ]
  await open('/project/5/settings')
  await expect.element(page.getByText(t.intervalHint('86,400'))).toBeVisible()
  await expect.element(page.getByText(/203\.0\.113\.7/)).toBeVisible()
  await expect.element(page.getByText(project.secret_key)).not.toBeInTheDocument()
  // There is one address to sign in at.
  await expect.element(button(new RegExp(`^${t.server}`))).not.toBeInTheDocument()
  await button(t.show).click()
  await expect.element(page.getByText(project.secret_key)).toBeVisible()
  await button(new RegExp(`^${t.interval}`)).click()
  await page.getByRole('option', { name: t.every('5 min') }).click()
  await expect.poll(() => changes).toContainEqual(['/api/project/edit', { id: 5, everyS: 300 }])
})

it('its owner chooses a reporting server, where the operator offers one', async () => {
  const t = projectDetailText.settings
  answers['/api/project/v1/keys'] = []
  answers['/api/project/getServer'] = [ownServer, { ...ownServer, id: 2, name: 'Plant' }]
  await open('/project/5/settings')
  await button(new RegExp(`^${t.server}`)).click()
  await page.getByRole('option', { name: /^Plant/ }).click()
  await expect.poll(() => changes).toContainEqual(['/api/project/edit', { id: 5, server: 2 }])
})

it('a project is deleted only after its name was typed', async () => {
  const t = projectDetailText.settings
  answers['/api/project/v1/keys'] = []
  await open('/project/5/settings')
  await button(t.delete).click()
  await dialog.getByRole('button', { name: t.delete }).click()
  await expect.element(dialog.getByText(t.deleteWrong)).toBeVisible()
  expect(changes).toEqual([])
  await dialog.getByRole('textbox').fill('MES Halle 3')
  await dialog.getByRole('button', { name: t.delete }).click()
  await expect.poll(() => changes).toContainEqual(['/api/project/del', { id: 5 }])
})

it('a quota that ends too early names the day and the interval that would make it last', async () => {
  const t = projectDetailText.overview
  answers['/api/project/v1/targets'] = []
  answers['/api/project/v1/usage'] = {
    ...{ monthFrom: at, monthTo: Date.UTC(2026, 11, 1), rows: 170_000, rowsMax: 200_000, perDay: 9_000 },
    ...{
      endsAt: Date.UTC(2026, 10, 21, 12),
      lastingEveryS: 60,
      minutes: [{ at: Date.now() - 60_000, rows: 6 }],
    },
  }
  await open('/project/5')
  await expect.element(page.getByText(/At this rate the quota ends on .*21/)).toBeVisible()
  await button(t.toLasting('1 min')).click()
  await expect.poll(() => changes).toContainEqual(['/api/project/edit', { id: 5, everyS: 60 }])
})
