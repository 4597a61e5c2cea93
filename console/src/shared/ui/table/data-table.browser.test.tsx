import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { render } from '../../../../test-support/render.tsx'
import { table } from '../../i18n/en/table.ts'
import { DataTable } from './data-table.tsx'
import { TableEmpty } from './table-states.tsx'
import { useTableView } from './use-table-view.ts'

function EmptyList() {
  const view = useTableView({ id: 'friends' })
  return (
    <DataTable<string, string>
      title="Friends"
      isTitleHidden
      view={view}
      source={{ rows: [], isFailed: false, isRefused: false, isFetching: false, retry: () => undefined }}
      columns={[{ id: 'name', title: 'Name', width: 100, rank: 0, value: (name) => name }]}
      rowKey={(name) => name}
      rowName={(name) => name}
      empty={{ icon: 'user', title: 'No friends yet' }}
    />
  )
}

it('an empty list without a title has no empty strip above it', async () => {
  const queries = new QueryClient({ defaultOptions: { queries: { enabled: false } } })
  await render(
    <QueryClientProvider client={queries}>
      <EmptyList />
    </QueryClientProvider>,
  )
  await expect.element(page.getByText('No friends yet')).toBeVisible()
  const head = page.getByRole('region', { name: 'Friends' }).element().querySelector('header')
  expect(head?.getBoundingClientRect().height).toBeLessThan(2)
})

it.each([
  ['by its words', false, true, table.noMatch],
  ['by its filter', false, false, table.noneFiltered],
  ['anyway', true, false, 'No friends yet'],
])('an empty list says that it is so %s', async (_, hasNone, isSearched, title) => {
  const found = { total: 0, page: 1, pageSize: 50, hasNone }
  await render(
    <TableEmpty
      source={{
        rows: [],
        page: found,
        isFailed: false,
        isRefused: false,
        isFetching: false,
        retry: () => undefined,
      }}
      isNarrowed
      isSearched={isSearched}
      empty={{ icon: 'user', title: 'No friends yet' }}
      rowHeight={40}
      onClear={() => undefined}
    />,
  )
  await expect.element(page.getByText(title)).toBeVisible()
})
