import { applications } from '@busbar/contract'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { expect, it, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from '../../../../test-support/render.tsx'
import { TextField } from '../field.tsx'
import { FormDialog } from './form-dialog.tsx'
import { useForm } from './use-form.ts'

const send = vi.fn((_: unknown) => Promise.resolve())
const tooLong = 'x'.repeat(200)

/** A visit has a message, a binding a remark too; both calls have a rule for each. */
function Apply({ kind }: { kind: 'visit' | 'bind' }) {
  const form = useForm({
    route: ({ kind: now }) => (now === 'bind' ? applications.applyForBind : applications.applyForVisit),
    initial: { kind, message: '', remarks: '' },
    shown: ({ kind: now }) => (now === 'bind' ? ['message', 'remarks'] : ['message']),
    send,
  })
  return (
    <FormDialog title="Apply" submit="Send" form={form} onClose={() => {}}>
      <TextField label="Message" {...form.text('message')} />
      <TextField label="Remark" {...form.text('remarks')} />
    </FormDialog>
  )
}

const draw = (kind: 'visit' | 'bind') =>
  render(
    <QueryClientProvider client={new QueryClient()}>
      <Apply kind={kind} />
    </QueryClientProvider>,
  )
const field = (name: string) => page.getByRole('textbox', { name })
const submit = () => userEvent.click(page.getByRole('button', { name: 'Send' }))

it('a hidden field does not keep the form from being sent', async () => {
  send.mockClear()
  await draw('visit')
  await userEvent.fill(field('Remark'), tooLong)
  await submit()
  expect(send).toHaveBeenCalledOnce()
})

it('the first wrong field gets the focus, and the input stays', async () => {
  send.mockClear()
  await draw('bind')
  await userEvent.fill(field('Remark'), tooLong)
  await submit()
  await expect.element(field('Remark')).toHaveFocus()
  await expect.element(field('Remark')).toHaveValue(tooLong)
  expect(send).not.toHaveBeenCalled()
})
