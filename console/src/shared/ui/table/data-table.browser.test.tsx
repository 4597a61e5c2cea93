import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { render } from '../../../../test-support/render.tsx'
import { DataTable } from './data-table.tsx'
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
