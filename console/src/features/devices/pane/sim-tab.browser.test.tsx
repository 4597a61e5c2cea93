import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { page } from 'vitest/browser'
import { hiddenMachineAnswer, machineAnswer } from '../../../../test-support/machine-answers.ts'
import { render } from '../../../../test-support/render.tsx'
import { simAnswer } from '../../../../test-support/sim-answers.ts'
import { machineOfOwn } from '../../../entities/machine/machine.ts'
import { machines } from '../../../shared/i18n/en/machines.ts'
import { simsText } from '../../../shared/i18n/en/sims.ts'
import { MachineDetailPane } from './machine-detail-pane.tsx'

const missing = { hwcode: 404, hwreason: '', error: { code: '404', message: 'Not found' } }
const nothing = () => undefined

let card: object | undefined
let asked: string[]

beforeEach(() => {
  asked = []
  vi.stubGlobal('fetch', async (input: RequestInfo | URL) => {
    const { pathname, searchParams } = new URL(String(input), location.origin)
    const isList = pathname === '/api/iotcard/v1/cards'
    if (!isList && !pathname.endsWith('/getIotCard')) return new Response(JSON.stringify(missing))
    asked.push(searchParams.get(isList ? 'search' : 'machineCode') ?? '')
    const answer = isList ? { list: card ? [card] : [], total: 0, page: 1, pageSize: 1 } : card
    return new Response(JSON.stringify(answer ? { hwcode: 0, hwdata: answer } : missing))
  })
})
afterEach(() => {
  vi.unstubAllGlobals()
})

async function open(answer: object, tab?: string): Promise<void> {
  const machine = machineOfOwn(answer as never)
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  const pane = () => (
    <MachineDetailPane
      {...{ machine, tab }}
      {...{ onTab: nothing, onClose: nothing, onPrevious: undefined, onNext: undefined }}
    />
  )
  const router = createRouter({
    routeTree: createRootRoute({ component: pane }),
    history: createMemoryHistory({ initialEntries: ['/'] }),
  })
  await render(
    <QueryClientProvider client={client}>
      <RouterProvider router={router as never} />
    </QueryClientProvider>,
  )
}

const overview = page.getByRole('tabpanel', { name: machines.pane.overview })
const simTab = page.getByRole('tab', { name: machines.pane.sim })

it('a device with a card has a tab that shows it', async () => {
  card = simAnswer()
  await open(machineAnswer(7, 'Press 1'), 'sim')
  await expect.element(simTab).toHaveAttribute('aria-selected', 'true')
  await expect.element(page.getByText(simsText.meanings.working.means)).toBeVisible()
  expect(new Set(asked)).toEqual(new Set(['0000000000000000007']))
})

it('a device without a card has no such tab', async () => {
  card = undefined
  await open(machineAnswer(7, 'Press 1'))
  await expect.poll(() => asked.length).toBe(1)
  await expect.element(overview).toBeVisible()
  expect(simTab.elements()).toEqual([])
})

it('of a device that a person may only see, no card is asked for', async () => {
  card = simAnswer()
  await open(hiddenMachineAnswer(7, 'Press 1'), 'sim')
  await expect.element(overview).toBeVisible()
  expect(asked).toEqual([])
})
