import { operator, simCycles, simLimits } from '@busbar/contract'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { formatMb } from '../../entities/sim/format-usage.ts'
import { call } from '../../shared/api/client.ts'
import { calls } from '../../shared/resource/acts.tsx'
import { ComboBox } from '../../shared/ui/combo-box/combo-box.tsx'
import { TextField } from '../../shared/ui/field.tsx'
import { SelectField } from '../../shared/ui/fields/choice-fields.tsx'
import { FormDialog } from '../../shared/ui/form/form-dialog.tsx'
import { useForm } from '../../shared/ui/form/use-form.ts'
import { Note, Row, Stack } from '../../shared/ui/layout/layout.tsx'
import { Switch } from '../../shared/ui/switch.tsx'
import { OperatorList, operatorPages } from './operator-list.tsx'
import { operatorKey } from './operator-queries.ts'
import { useOperatorText } from './operator-text.ts'
import { simCarriersQuery } from './sim-queries.ts'
import { useOperatorSimsText } from './sims-text.ts'

type Plan = operator.PlanRow

/** The plans that cards can have. */
export function SimPlansSection(): ReactNode {
  const all = useOperatorText()
  const { plans: t } = useOperatorSimsText()
  // Known before a form opens, which begins with the account where there is one.
  useQuery(simCarriersQuery)
  const dialog = (close: () => void, row?: Plan) => <PlanForm row={row} onClose={close} />
  return (
    <OperatorList
      id="operator.simPlans"
      title={all.parts.simPlans}
      lead={t.lead}
      rows={operatorPages(operator.listPlans, {})}
      rowKey="id"
      titles={t.columns}
      columns={{
        name: { kind: 'name', value: 'name' },
        carrier: { kind: 'text', value: 'carrier', rank: 3 },
        volume: {
          kind: 'count',
          value: 'totalMb',
          cell: ({ totalMb }) => (totalMb === null ? t.unlimited : formatMb(totalMb)),
          csv: ({ totalMb }) => totalMb ?? t.unlimited,
          width: 120,
          rank: 2,
        },
        cycle: { kind: 'state', value: 'cycle', words: t.cycles, width: 170, rank: 5 },
        cards: { kind: 'count', value: 'cards', width: 90, rank: 4 },
      }}
      search={t.search}
      add={{ label: t.add, opens: dialog }}
      opens={dialog}
      acts={[
        { label: t.edit, opens: dialog },
        {
          ...calls(operator.deletePlan, ({ id }: Plan) => ({ id })),
          label: t.remove,
          asks: { title: ({ name }) => t.confirmRemove(name), body: t.confirmRemoveBody },
          done: all.done,
        },
      ]}
      empty={{ icon: 'tag', title: t.empty, hint: t.emptyHint }}
    />
  )
}

/** NaN for words. */
const mbOf = (text: string) => (/^[\d\s,]+$/.test(text) ? Number(text.replace(/[\s,]/g, '')) : Number.NaN)

function PlanForm({ row, onClose }: { row: Plan | undefined; onClose: () => void }) {
  const { plans: t } = useOperatorSimsText()
  const { data: carriers } = useQuery(simCarriersQuery)
  const names = [...new Set([...(row ? [row.carrier] : []), ...(carriers ?? []).map(({ name }) => name)])]
  const form = useForm({
    route: row ? operator.updatePlan : operator.createPlan,
    initial: {
      name: row?.name ?? '',
      carrier: row?.carrier ?? (names.length === 1 ? (names[0] ?? '') : ''),
      isLimited: row?.totalMb !== null,
      volume: row?.totalMb ? String(row.totalMb) : '',
      cycle: row?.cycle ?? simCycles[0],
    },
    required: ['name', 'carrier'],
    check: ({ isLimited, volume }) => {
      const mb = mbOf(volume)
      const isFine = !isLimited || (Number.isInteger(mb) && mb >= 1 && mb <= simLimits.planMbMax)
      return { volume: isFine ? undefined : t.volumeWrong }
    },
    async send({ name, carrier, isLimited, volume, cycle }) {
      const fields = { name, carrier, totalMb: isLimited ? mbOf(volume) : null, cycle }
      if (row) await call(operator.updatePlan, { id: row.id, ...fields })
      else await call(operator.createPlan, fields)
    },
    errorFields: { SIM_PLAN_TAKEN: 'name', SIM_CARRIER_UNKNOWN: 'carrier' },
    done: t.saved,
    touched: [operatorKey],
    onSent: onClose,
  })
  const { values, set } = form
  return (
    <FormDialog
      title={row ? t.editOf(row.name) : t.add}
      submit={t.save}
      form={form}
      width={440}
      onClose={onClose}
    >
      <TextField label={t.name} autoFocus maxLength={simLimits.planNameMax} {...form.text('name')} />
      <ComboBox
        label={t.carrier}
        size="large"
        placeholder={t.choose}
        choices={names.map((value) => ({ value, label: value }))}
        chosen={values.carrier === '' ? [] : [values.carrier]}
        onChoose={([carrier]) => carrier !== undefined && set('carrier', carrier)}
        error={form.field('carrier').error}
        noneText={t.noCarriers}
      />
      <Row gap={10}>
        <Switch
          label={t.isLimited}
          checked={values.isLimited}
          onChange={(isLimited) => set('isLimited', isLimited)}
        />
        <span aria-hidden="true">{t.isLimited}</span>
      </Row>
      {values.isLimited && (
        <Stack gap={6}>
          <TextField label={t.volume} inputMode="numeric" {...form.text('volume')} />
          <Note>{t.volumeHint}</Note>
        </Stack>
      )}
      <SelectField
        label={t.cycle}
        value={values.cycle}
        options={simCycles.map((value) => ({ value, label: t.cycles[value] }))}
        onChange={(cycle) => set('cycle', cycle)}
      />
    </FormDialog>
  )
}
