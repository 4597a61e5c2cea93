import { smsStock, smsUnits } from '@busbar/contract'
import { call } from '../../../shared/api/client.ts'
import { formatNumber, useText } from '../../../shared/i18n/index.ts'
import form from '../../../shared/ui/dialogs/form.module.css'
import { FormDialog } from '../../../shared/ui/form/form-dialog.tsx'
import { useForm } from '../../../shared/ui/form/use-form.ts'
import { NumberField } from '../../../shared/ui/number-field/number-field.tsx'
import { notificationsKey } from '../notification-queries.ts'

/** The balance of a member, and what the enterprise has left. */
export type MemberStock = smsStock.AllocationRow & { readonly enterpriseStock: number }

interface TransferDialogProps {
  eid: number
  member: MemberStock
  direction: smsStock.AllocationAct
  onClose: () => void
}

const { single, segment } = smsUnits

/** Allocates segments to a member or reclaims them, and shows both balances afterwards. */
export function TransferDialog({ eid, member, direction, onClose }: TransferDialogProps) {
  const { enterpriseStock: stock } = member
  const t = useText().notifications
  const words = t.members
  const isGiving = direction === 'give'
  const name = member.name || member.accountMasked
  const max = isGiving ? stock : member.stock
  const fields = useForm({
    initial: { count: '' },
    check: ({ count }) => {
      const n = Number(count)
      return { count: Number.isInteger(n) && n >= 1 && n <= max ? undefined : words.of(formatNumber(max)) }
    },
    send: ({ count }) =>
      call(smsStock.transferStock, { eid, userId: member.userId, count: Number(count), direction }),
    done: (_, { count }) => (isGiving ? words.given : words.reclaimed)(name, formatNumber(Number(count))),
    touched: [notificationsKey],
    onSent: onClose,
  })
  const moved = Math.min(Number(fields.values.count) || 0, max) * (isGiving ? 1 : -1)
  const { error, ...count } = fields.field('count')
  return (
    <FormDialog
      title={(isGiving ? words.giveTo : words.reclaimFrom)(name)}
      submit={isGiving ? words.give : words.reclaim}
      form={fields}
      width={440}
      onClose={onClose}
    >
      <div data-field="count">
        <NumberField
          label={words.count}
          size="large"
          decimals={0}
          min={1}
          max={max}
          value={count.value}
          onChange={count.onChange}
          error={error}
        />
        <p className={form.hint}>{words.of(formatNumber(max))}</p>
      </div>
      <p className={form.hint} aria-live="polite">
        {words.after(formatNumber(stock - moved), formatNumber(member.stock + moved))}
      </p>
      <p className={form.hint}>{t.balance.price(formatNumber(single), formatNumber(segment))}</p>
    </FormDialog>
  )
}
