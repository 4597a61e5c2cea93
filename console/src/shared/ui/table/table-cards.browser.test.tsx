import { expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { render } from '../../../../test-support/render.tsx'
import type { TableColumn } from './column.ts'
import { TableCards } from './table-cards.tsx'

interface Person {
  readonly name: string
  readonly phone: string
  readonly team: string
}

const columns: readonly TableColumn<Person>[] = [
  { id: 'name', title: 'Name', width: 100, rank: 0, card: 'name', value: ({ name }) => name },
  { id: 'phone', title: 'Phone', width: 100, rank: 2, card: 'plain', value: ({ phone }) => phone },
  { id: 'team', title: 'Team', width: 100, rank: 3, value: ({ team }) => team },
]

const cards = (rows: readonly Person[]) =>
  render(
    <div style={{ width: 366 }}>
      <TableCards
        label="People"
        columns={columns}
        rows={rows}
        rowKey={({ name }) => name}
        rowName={({ name }) => name}
        selection={undefined}
        onOpen={undefined}
        rowClass={undefined}
        empty={null}
      />
    </div>,
  )

it('leaves a missing value out of a card where its title is not shown', async () => {
  await cards([
    { name: 'Tom', phone: '', team: '' },
    { name: 'Olga', phone: '+86 555', team: 'A' },
  ])
  const termsOf = (name: string) =>
    page
      .getByRole('listitem')
      .filter({ hasText: name })
      .getByRole('term')
      .elements()
      .map((term) => term.textContent)
  await expect.element(page.getByText('Olga')).toBeVisible()
  expect(termsOf('Olga')).toEqual(['Phone', 'Team'])
  expect(termsOf('Tom')).toEqual(['Team'])
})

it('does not draw a long text over its neighbour', async () => {
  const team = 'Outlet pressure below the lower limit for more than 20 s'
  await cards([{ name: 'Tom', phone: '', team }])
  const text = page.getByText(team).element()
  const card = page.getByRole('listitem').element()
  expect(text.getBoundingClientRect().right).toBeLessThanOrEqual(card.getBoundingClientRect().right)
})
