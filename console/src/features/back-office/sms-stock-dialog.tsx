import { alarmLimits, smsStock } from '@busbar/contract'
import { call } from '../../shared/api/client.ts'
import { formatNumber } from '../../shared/i18n/index.ts'
import css from '../../shared/ui/dialogs/form.module.css'
import { TextField } from '../../shared/ui/field.tsx'
import { FormDialog } from '../../shared/ui/form/form-dialog.tsx'
import { useForm } from '../../shared/ui/form/use-form.ts'
import { NumberField } from '../../shared/ui/number-field/number-field.tsx'
import { operatorKey, ownerOf } from './operator-queries.ts'
import { useOperatorText } from './operator-text.ts'

interface SmsStockDialogProps {
  row: smsStock.StockRow
  type: smsStock.RechargeType
  onClose: () => void
}

/** Recharges a balance, or takes returned segments from it; says what it has afterwards. */
export function SmsStockDialog({ row, type, onClose }: SmsStockDialogProps) {
  const t = useOperatorText().sms
  const isRefund = type === 'refund'
  const max = isRefund ? Math.min(row.remaining, alarmLimits.smsCountMax) : alarmLimits.smsCountMax
  const form = useForm({
    initial: { count: '', note: '' },
    check: ({ count }) => {
      const n = Number(count)
      return { count: Number.isInteger(n) && n >= 1 && n <= max ? undefined : t.atMost(formatNumber(max)) }
    },
    send: ({ count, note }) =>
      call(smsStock.changeStock, { ...ownerOf(row), type, count: Number(count), note }),
    done: ({ remaining }: { remaining: number }) => t.changed(formatNumber(remaining)),
    touched: [operatorKey],
    onSent: onClose,
  })
  const count = form.field('count')
  const moved = Math.min(Number(count.value) || 0, max) * (isRefund ? -1 : 1)
  return (
    <FormDialog
      title={t.titles[type](row.name || row.account)}
      submit={t.types[type]}
      danger={isRefund}
      form={form}
      width={440}
      onClose={onClose}
    >
      <div data-field="count">
        <NumberField
          label={t.columns.count}
          size="large"
          decimals={0}
          min={1}
          max={max}
          value={count.value}
          error={count.error}
          onChange={count.onChange}
        />
      </div>
      <p className={css.hint} aria-live="polite">
        {t.after(formatNumber(row.remaining + moved))}
      </p>
      <TextField label={t.columns.note} maxLength={alarmLimits.smsNoteMax} {...form.text('note')} />
    </FormDialog>
  )
}
