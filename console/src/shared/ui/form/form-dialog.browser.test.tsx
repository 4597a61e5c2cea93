import { ApiError, enterprises } from '@busbar/contract'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { expect, it, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from '../../../../test-support/render.tsx'
import { en } from '../../i18n/en/index.ts'
import { TextField } from '../field.tsx'
import { SelectField } from '../fields/choice-fields.tsx'
import { ChoicesField } from '../fields/choices-field.tsx'
import { FormDialog } from './form-dialog.tsx'
import { useForm } from './use-form.ts'

const refusal = (code: string, more: { http?: number; field?: string } = {}) =>
  new ApiError({ http: 200, hwcode: 420, code, message: 'told by the platform', ...more })

interface TriedFormProps {
  send: () => Promise<unknown>
  first?: string
  onClose?: () => void
}

function TriedForm({ send, first = '', onClose = () => {} }: TriedFormProps) {
  const form = useForm({
    route: enterprises.createGroup,
    initial: { name: first, line: 0, parts: [] as readonly string[] },
    follows: true,
    check: ({ line, parts }) => ({
      line: line === 0 ? 'Choose a line' : undefined,
      parts: parts.length === 0 ? 'Choose a part' : undefined,
    }),
    errorFields: { PERSON_BLACKLISTED: 'line', lineId: 'line' },
    explain: (error) => (error.is('PERSON_BLACKLISTED') ? 'That line is full' : undefined),
    send,
  })
  const lines = [0, 1, 2].map((value) => ({ value, label: `Line ${value}` }))
  const parts = ['press', 'robot'].map((value) => ({ value, label: value }))
  return (
    <FormDialog title="Sort" submit="Save" form={form} onClose={onClose}>
      <TextField label="Name" {...form.text('name')} />
      <SelectField label="Line" options={lines} {...form.field('line')} />
      <ChoicesField label="Parts" options={parts} {...form.field('parts')} />
    </FormDialog>
  )
}

async function draw(props: Partial<TriedFormProps> = {}) {
  const client = new QueryClient()
  const all = { send: () => Promise.resolve(undefined), ...props }
  await render(
    <QueryClientProvider client={client}>
      <TriedForm {...all} />
    </QueryClientProvider>,
  )
}

const save = () => userEvent.click(page.getByRole('button', { name: 'Save' }))
const line = page.getByRole('button', { name: /^Line/ })
const part = (name: string) => page.getByRole('option', { name })

async function choose(name: string) {
  await userEvent.click(line)
  await userEvent.click(page.getByRole('option', { name }))
}

it('puts the focus on the first wrong field, of whatever kind', async () => {
  const send = vi.fn(() => Promise.resolve(undefined))
  await draw({ send })
  await expect.element(part('press')).toBeVisible()
  await save()
  await expect.element(page.getByRole('textbox', { name: 'Name' })).toHaveFocus()
  await userEvent.keyboard('North')
  await save()
  await expect.element(line).toHaveFocus()
  await choose('Line 1')
  await save()
  // The library enters a list from the side of what had the focus.
  await expect.element(part('robot')).toHaveFocus()
  await expect.element(page.getByRole('alert')).toHaveTextContent('Choose a part')
  await userEvent.keyboard(' ')
  expect(send).not.toHaveBeenCalled()
  await save()
  await vi.waitFor(() =>
    expect(send).toHaveBeenCalledWith({ name: 'North', line: 1, parts: ['robot'] }, expect.anything()),
  )
})

it('shows a refusal beside its field, in the form’s own words, and keeps the input', async () => {
  await draw({ send: () => Promise.reject(refusal('PERSON_BLACKLISTED')), first: 'North' })
  await choose('Line 1')
  await userEvent.click(part('robot'))
  await save()
  await expect.element(line).toHaveFocus()
  await expect.element(page.getByRole('alert')).toHaveTextContent('That line is full')
  await expect.element(page.getByRole('textbox', { name: 'Name' })).toHaveValue('North')
})

it('asks before it closes where only a choice was made', async () => {
  const onClose = vi.fn()
  await draw({ onClose })
  await userEvent.click(part('robot'))
  await userEvent.keyboard('{Escape}')
  await expect.element(page.getByRole('dialog', { name: en.app.discard.title })).toBeVisible()
  expect(onClose).not.toHaveBeenCalled()
})
