import { enterprises, operator } from '@busbar/contract'
import { QueryClient, QueryClientProvider, queryOptions } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from '../../../test-support/render.tsx'
import { en } from '../i18n/en/index.ts'
import type { Proof } from '../ui/dialogs/confirm-dialog.tsx'
import { calls } from './acts.tsx'
import { List } from './list.tsx'
import { pages, whole } from './rows.ts'

/** The platform: what it was asked, and what it answers next. */
const platform = { asked: [] as string[], answer: (_: string): unknown => ({ hwcode: 0, hwdata: null }) }

beforeEach(() => {
  platform.asked = []
  vi.stubGlobal('fetch', async (input: RequestInfo | URL) => {
    const url = String(input)
    // Each list asks who looks at it, for the settings that it keeps.
    if (!url.includes('selectInfo')) platform.asked.push(url)
    return new Response(JSON.stringify(platform.answer(url)))
  })
})
afterEach(() => {
  vi.unstubAllGlobals()
})

const refusal = { hwcode: 420, hwreason: 'The group still has devices', error: { code: 'X', message: '' } }

function draw(content: ReactNode) {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  return render(<QueryClientProvider client={client}>{content}</QueryClientProvider>)
}

interface Group {
  readonly id: number
  readonly name: string
  readonly count: number
}

const groups: Group[] = [
  { id: 1, name: 'Press shop', count: 3 },
  { id: 2, name: 'Forge', count: 0 },
]
const owner = { role: 'owner', rights: [] } as const
const member = { role: 'member', rights: [] } as const

interface GroupsProps {
  rows?: readonly Group[]
  permission?: typeof owner | typeof member
  onDraw?: () => void
  useProof?: () => Proof
}

function Groups({ rows = groups, permission = owner, onDraw, useProof }: GroupsProps) {
  onDraw?.()
  const query = queryOptions({ queryKey: ['groups'], queryFn: () => [...rows] })
  return (
    <List
      id="groups"
      title="Groups"
      rows={whole(query)}
      rowKey="id"
      titles={{ name: 'Name', count: 'Devices' }}
      columns={{ name: { kind: 'name', value: 'name' }, count: { kind: 'count', value: 'count' } }}
      permission={permission}
      touched={[['groups']]}
      {...(useProof && { useProof })}
      add={{
        label: 'New group',
        route: enterprises.createGroup,
        opens: (close) => (
          <dialog open aria-label="New group">
            <button type="button" onClick={close}>
              Done
            </button>
          </dialog>
        ),
      }}
      acts={[
        {
          ...calls(enterprises.removeGroup, ({ id }: Group) => ({ eid: 7, id })),
          label: 'Remove',
          fits: ({ count }) => count === 0,
          asks: {
            title: ({ name }) => `Remove ${name}?`,
            many: (n) => `Remove ${n}?`,
            body: (some) => some.map(({ name }) => name).join(),
          },
          done: 'Removed',
        },
      ]}
      empty={{ icon: 'group', title: 'No groups' }}
    />
  )
}

const button = (name: string | RegExp) => page.getByRole('button', { name })
const dialog = (name: string) => page.getByRole('dialog', { name })

it('offers an act for the rows that it fits', async () => {
  await draw(<Groups />)
  await expect.element(button('Remove Forge')).toBeVisible()
  expect(button('Remove Press shop').elements()).toEqual([])
})

it('offers nothing that the person may not call', async () => {
  await draw(<Groups permission={member} />)
  await expect.element(page.getByText('Forge')).toBeVisible()
  expect(button('Remove Forge').elements()).toEqual([])
  expect(button('New group').elements()).toEqual([])
})

it('asks before the act, shows a refusal in the question, and is done at the second try', async () => {
  platform.answer = () => refusal
  await draw(<Groups />)
  await userEvent.click(button('Remove Forge'))
  const question = dialog('Remove Forge?')
  await userEvent.click(question.getByRole('button', { name: 'Remove' }))
  await expect.element(question.getByRole('alert')).toBeVisible()
  expect(platform.asked).toHaveLength(1)
  platform.answer = () => ({ hwcode: 0, hwdata: null })
  await userEvent.click(question.getByRole('button', { name: 'Remove' }))
  await expect.element(page.getByText('Removed')).toBeVisible()
  expect(question.elements()).toEqual([])
})

it('after an act the keyboard is on the same act of the next row that offers it, or else on the row at its place', async () => {
  const rows = [{ id: 3, name: 'Saw', count: 0 }, ...groups, { id: 4, name: 'Paint', count: 0 }]
  const remove = async (name: string, change: () => void) => {
    platform.answer = (url) => {
      if (url.includes('/groups/')) change()
      return { hwcode: 0, hwdata: null }
    }
    await userEvent.click(dialog(`Remove ${name}?`).getByRole('button', { name: 'Remove' }))
    await expect.poll(() => button(`Remove ${name}`).elements()).toEqual([])
  }
  await draw(<Groups rows={rows} />)
  await userEvent.click(button('Remove Saw'))
  await remove('Saw', () => rows.shift())
  await expect.element(button('Remove Forge')).toHaveFocus()
  // Its row stays, and does not offer the act any more.
  await userEvent.keyboard('{Enter}')
  await remove('Forge', () => rows.splice(1, 1, { id: 2, name: 'Forge', count: 1 }))
  await expect.element(button('Remove Paint')).toHaveFocus()
  await userEvent.keyboard('{Enter}')
  await remove('Paint', () => rows.pop())
  await expect.element(page.getByRole('grid')).toHaveFocus()
  const active = document.getElementById(document.activeElement?.getAttribute('aria-activedescendant') ?? '')
  expect(active?.textContent).toContain('Forge')
})

it('runs an act on the selected rows that it fits, and says how many', async () => {
  platform.answer = () => ({ hwcode: 0, hwdata: null })
  await draw(<Groups />)
  await userEvent.click(page.getByRole('checkbox', { name: en.table.selectAll }))
  await userEvent.click(button('Remove (1)'))
  await userEvent.click(dialog('Remove 1?').getByRole('button', { name: 'Remove' }))
  await expect.element(page.getByText('Removed')).toBeVisible()
  expect(platform.asked).toHaveLength(1)
  expect(platform.asked[0]).toContain('/groups/2')
})

it('a person who gives no proof of their password is asked once, and nothing counts as done', async () => {
  const asked = vi.fn(() => Promise.resolve(undefined))
  const proof: Proof = { proved: asked, dialog: null }
  await draw(<Groups rows={groups.map((group) => ({ ...group, count: 0 }))} useProof={() => proof} />)
  await userEvent.click(page.getByRole('checkbox', { name: en.table.selectAll }))
  await userEvent.click(page.getByRole('toolbar').getByRole('button', { name: 'Remove', exact: true }))
  const question = dialog('Remove 2?')
  await userEvent.click(question.getByRole('button', { name: 'Remove' }))
  for (const { name } of groups)
    await expect.element(question.getByRole('alert').getByText(name)).toBeVisible()
  expect(asked).toHaveBeenCalledOnce()
  await userEvent.click(question.getByRole('button', { name: en.app.retry }))
  await vi.waitFor(() => expect(asked).toHaveBeenCalledTimes(2))
  expect(platform.asked).toEqual([])
})

it('a list without rows offers the first one in their place, and only there', async () => {
  await draw(<Groups rows={[]} />)
  await expect.element(page.getByText('No groups')).toBeVisible()
  expect(button('New group').elements()).toHaveLength(1)
  await userEvent.click(button('New group'))
  await expect.element(dialog('New group')).toBeVisible()
  await userEvent.click(button('Done'))
  expect(dialog('New group').elements()).toEqual([])
})

it('a selection and a question draw nothing of the page around the list', async () => {
  const onDraw = vi.fn()
  await draw(<Groups onDraw={onDraw} />)
  await expect.element(button('Remove Forge')).toBeVisible()
  const drawn = onDraw.mock.calls.length
  await userEvent.click(page.getByRole('checkbox', { name: en.table.select('Forge') }))
  await userEvent.click(button('Remove Forge'))
  await expect.element(dialog('Remove Forge?')).toBeVisible()
  expect(onDraw).toHaveBeenCalledTimes(drawn)
})

const user = (userId: number, name: string): operator.UserRow => ({
  ...{ userId, name, phone: '', email: `${userId}@example.com`, state: 'active', isOperator: false },
  ...{ machines: 0, enterprises: 0, createdAt: 1_800_000_000_000, lastSeenAt: null },
})

function Users() {
  return (
    <List
      id="users"
      title="Users"
      rows={pages(operator.listUsers, {}, { under: ['users'], size: 2 })}
      rowKey="userId"
      titles={{ name: 'Name', email: 'E-mail', seen: 'Seen' }}
      columns={{
        name: { kind: 'name', value: 'name', order: 'name' },
        email: { kind: 'text', value: 'email' },
        seen: { kind: 'time', value: 'lastSeenAt', none: 'never' },
      }}
      filters={{ only: { title: 'State', choices: { locked: 'Locked', operators: 'Operators' } } }}
      search="Search users"
      empty={{ icon: 'user', title: 'No users' }}
    />
  )
}

const askedLast = () => Object.fromEntries(new URL(platform.asked.at(-1) ?? '', 'http://x').searchParams)

it('asks the platform for what a person typed, chose and sorted by', async () => {
  const list = [user(1, 'Lin'), user(2, 'Olga')]
  platform.answer = () => ({ hwcode: 0, hwdata: { list, total: 5, page: 1, pageSize: 2 } })
  await draw(<Users />)
  await expect.element(page.getByText('Olga')).toBeVisible()
  expect(askedLast()).toEqual({ page: '1', pageSize: '2' })
  await userEvent.fill(page.getByRole('searchbox', { name: 'Search users' }), 'li')
  await vi.waitFor(() => expect(askedLast()).toMatchObject({ search: 'li' }))
  await userEvent.click(page.getByRole('radio', { name: 'Locked' }))
  await vi.waitFor(() => expect(askedLast()).toMatchObject({ search: 'li', only: 'locked' }))
  await userEvent.click(button(/^Name/))
  await vi.waitFor(() =>
    expect(askedLast()).toEqual({
      ...{ page: '1', pageSize: '2', search: 'li', only: 'locked' },
      ...{ sort: 'name', order: 'asc' },
    }),
  )
  // The platform does not sort by this column, and one page does not say the order of all.
  expect(button(/^E-mail/).elements()).toEqual([])
})

it('says of a list without results whether the filter is the cause', async () => {
  platform.answer = (url) => ({
    hwcode: 0,
    hwdata: url.includes('only=')
      ? { list: [], total: 0, page: 1, pageSize: 2 }
      : { list: [user(1, 'Lin')], total: 1, page: 1, pageSize: 2 },
  })
  await draw(<Users />)
  await userEvent.click(page.getByRole('radio', { name: 'Locked' }))
  await expect.element(page.getByText(en.table.noneFiltered)).toBeVisible()
  platform.answer = () => ({ hwcode: 0, hwdata: { list: [], total: 0, page: 1, pageSize: 2 } })
  await draw(<Users />)
  await expect.element(page.getByText('No users')).toBeVisible()
})
