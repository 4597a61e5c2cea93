import type { telemetry } from '@busbar/contract'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { expect, it, vi } from 'vitest'
import { page } from 'vitest/browser'
import { render } from '../../../test-support/render.tsx'
import { history } from '../../shared/i18n/en/history.ts'
import { latestValuesQuery, machineTagsQuery } from '../machine/machine-queries.ts'
import { type PickedTag, VariablePicker, type VariablePickerProps } from '../machine/variable-picker.tsx'
import { VariablesField } from './variables-field.tsx'

const tagOf = (tagId: number, name: string): telemetry.Tag => ({
  ...{ tagId, group: '', wireGroup: 'wire', tag: name, name, type: 'float64', unit: '', scale: null },
  ...{ readOnly: true, min: null, max: null, lastAt: null },
})

const machines = [1, 2].map((id) => ({ id, name: `Press ${id}`, code: `10${id}` }))
const tags = { 1: [tagOf(11, 'temp'), tagOf(12, 'speed')], 2: [tagOf(21, 'level')] }

function makeClient() {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY } } })
  for (const { id } of machines) {
    client.setQueryData(machineTagsQuery(id, 'en').queryKey, tags[id as 1 | 2])
    client.setQueryData(latestValuesQuery(id).queryKey, [])
  }
  return client
}

async function open(props: Partial<VariablePickerProps>) {
  const onChoose = vi.fn<(tagIds: readonly number[], picked: readonly PickedTag[]) => void>()
  await render(
    <QueryClientProvider client={makeClient()}>
      <VariablePicker
        {...{
          machines,
          chosen: [],
          known: [],
          max: 20,
          verb: history.picker.show,
          onChoose,
          onClose: () => undefined,
        }}
        {...props}
      />
    </QueryClientProvider>,
  )
  return onChoose
}

const box = (name: string) => page.getByRole('checkbox', { name: `Select ${name}`, exact: true })
const button = (name: string) => page.getByRole('button', { name, exact: true })

async function lookAt(device: string) {
  await page.getByRole('button', { name: /^Device/ }).click()
  await page.getByRole('option', { name: new RegExp(device) }).click()
}

it('a checked variable stays chosen while another device is looked at, and the one button takes all of them', async () => {
  const onChoose = await open({})
  await expect.element(button('Show variables')).toBeDisabled()
  await box('temp').click()
  await lookAt('Press 2')
  await box('level').click()
  await expect.element(button('Remove Press 1 · temp')).toBeVisible()
  await button('Show 2 variables').click()
  const [tagIds, picked] = onChoose.mock.calls[0] ?? []
  expect(tagIds).toEqual([11, 21])
  expect(picked?.map(({ machineId, wireGroup, tag }) => [machineId, wireGroup, tag])).toEqual([
    [1, 'wire', 'temp'],
    [2, 'wire', 'level'],
  ])
})

it('shows as checked what was chosen before, keeps what it knows no name of, and removes by a press on the name', async () => {
  const known = [{ ...tagOf(21, 'level'), machineId: 2 }]
  const onChoose = await open({ first: 1, chosen: [11, 21, 99], known })
  await expect.element(box('temp')).toBeChecked()
  await page.getByRole('checkbox', { name: 'Select all', exact: true }).click()
  await button('Remove Press 2 · level').click()
  await button('Show 3 variables').click()
  expect(onChoose.mock.calls[0]?.[0]).toEqual([11, 99, 12])
})

it('does not take more than there is room for; where one is meant, another choice takes its place', async () => {
  await open({ chosen: [11, 99], max: 2 })
  await box('speed').click()
  await expect.element(button('Show 3 variables')).toBeDisabled()
  const onChoose = await open({ chosen: [11], max: 1 })
  await page.getByRole('radio', { name: 'Select speed', exact: true }).click()
  expect(page.getByRole('checkbox').elements()).toEqual([])
  await button('Show 1 variable').click()
  expect(onChoose.mock.calls[0]?.[0]).toEqual([12])
})

it('offers first the devices with chosen variables and those in alarm, and stays at the one that is looked at', async () => {
  const many = [...machines, { id: 3, name: 'Press 3', code: '103', openAlarms: 1 }]
  await open({ machines: many, chosen: [21], known: [{ ...tagOf(21, 'level'), machineId: 2 }] })
  await expect.element(box('level')).toBeChecked()
  await button('Remove Press 2 · level').click()
  await expect.element(box('level')).not.toBeChecked()
  await page.getByRole('button', { name: /^Device/ }).click()
  const names = page
    .getByRole('option')
    .elements()
    .map((one) => one.textContent)
  expect(names.map((name) => /Press \d/.exec(name ?? '')?.[0])).toEqual(['Press 3', 'Press 1', 'Press 2'])
})

it('Enter in the picker of a form does not send the form', async () => {
  const send = vi.fn((event: { preventDefault(): void }) => event.preventDefault())
  const change = vi.fn()
  await render(
    <QueryClientProvider client={makeClient()}>
      <form onSubmit={send}>
        <VariablesField label="Variables" machines={machines} value={[]} max={20} onChange={change} />
        <button type="submit">Save</button>
      </form>
    </QueryClientProvider>,
  )
  await button('Select variables').click()
  await box('temp').click()
  const field = box('temp').element() as HTMLInputElement
  expect(field.form).toBe(null)
  await button('Select 1 variable').click()
  expect(change).toHaveBeenCalledWith([11])
  expect(send).not.toHaveBeenCalled()
})
