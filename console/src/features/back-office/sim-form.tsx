import { operator } from '@busbar/contract'
import { useQuery } from '@tanstack/react-query'
import { call } from '../../shared/api/client.ts'
import { ComboBox } from '../../shared/ui/combo-box/combo-box.tsx'
import { DatePicker } from '../../shared/ui/date/date-picker.tsx'
import { TextField } from '../../shared/ui/field.tsx'
import { FormDialog } from '../../shared/ui/form/form-dialog.tsx'
import { useForm } from '../../shared/ui/form/use-form.ts'
import { Note, Row, Stack } from '../../shared/ui/layout/layout.tsx'
import { Switch } from '../../shared/ui/switch.tsx'
import { operatorKey } from './operator-queries.ts'
import { everySimPlanQuery } from './sim-queries.ts'
import { useOperatorSimsText } from './sims-text.ts'

/** Of a plan that is given an end. */
const yearMs = 365 * 86_400_000

/** Changes the device of a card, its plan, and the end of that. */
export function SimForm({ row, onClose }: { row: operator.OperatorCard; onClose: () => void }) {
  const { cards: t } = useOperatorSimsText()
  const { data: plans } = useQuery(everySimPlanQuery)
  const form = useForm({
    route: operator.updateCard,
    initial: { machineCode: row.machineCode, planId: row.plan.planId, expireAt: row.expireAt },
    send: ({ machineCode, ...fields }) =>
      call(operator.updateCard, { id: row.id, machineCode: machineCode.replace(/\s/g, ''), ...fields }),
    errorFields: { SIM_MACHINE_UNKNOWN: 'machineCode', SIM_PLAN_UNKNOWN: 'planId' },
    done: t.saved,
    touched: [operatorKey],
    onSent: onClose,
  })
  const { values, set } = form
  const choices = plans?.map(({ id, name, carrier }) => ({
    value: String(id),
    label: name,
    hint: carrier,
  })) ?? [{ value: String(row.plan.planId), label: row.plan.name }]
  return (
    <FormDialog title={t.editOf(row.iccid)} submit={t.save} form={form} width={440} onClose={onClose}>
      <Stack gap={6}>
        <TextField
          label={t.code}
          className="mono"
          inputMode="numeric"
          autoComplete="off"
          {...form.text('machineCode')}
        />
        <Note>{t.codeHint}</Note>
      </Stack>
      <ComboBox
        label={t.plan}
        size="large"
        choices={choices}
        chosen={[String(values.planId)]}
        onChoose={([chosen]) => chosen !== undefined && set('planId', Number(chosen))}
        error={form.field('planId').error}
      />
      <Row gap={10}>
        <Switch
          label={t.hasEnd}
          checked={values.expireAt !== null}
          onChange={(hasEnd) => set('expireAt', hasEnd ? (row.expireAt ?? Date.now() + yearMs) : null)}
        />
        <span aria-hidden="true">{t.hasEnd}</span>
      </Row>
      {values.expireAt !== null && (
        <DatePicker
          label={t.expireAt}
          size="large"
          value={values.expireAt}
          onChange={(expireAt) => expireAt !== null && set('expireAt', expireAt)}
          error={form.field('expireAt').error}
        />
      )}
    </FormDialog>
  )
}
