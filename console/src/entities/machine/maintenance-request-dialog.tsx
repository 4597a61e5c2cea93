import { enterprises } from '@busbar/contract'
import { useState } from 'react'
import { call } from '../../shared/api/client.ts'
import { useText } from '../../shared/i18n/index.ts'
import { DateRangePicker } from '../../shared/ui/date/date-range-picker.tsx'
import type { TimeSpan } from '../../shared/ui/date/presets.ts'
import css from '../../shared/ui/dialogs/form.module.css'
import { TextField } from '../../shared/ui/field.tsx'
import { SelectField } from '../../shared/ui/fields/choice-fields.tsx'
import { ChoicesField } from '../../shared/ui/fields/choices-field.tsx'
import { FormDialog } from '../../shared/ui/form/form-dialog.tsx'
import { useForm } from '../../shared/ui/form/use-form.ts'
import { ZoneNote } from '../../shared/ui/zone-note.tsx'
import { spaceKey } from '../enterprise/enterprise-queries.ts'
import { useMachineCheck } from './code/machine-check.tsx'
import { findCodeProblem, parseCodeInput } from './code/machine-code.ts'
import { MachineCodeField } from './code/machine-code-field.tsx'

/** The usual length of a service engineer's visit. */
const usualSpanMs = 4 * 3_600_000

const kinds = ['window', 'contract'] as const

/** The scopes that somebody can ask for; `passthrough` has no effect yet (rules/enterprises.md: maintenance windows). */
const offered = (kind: (typeof kinds)[number]): readonly enterprises.MaintenanceScope[] =>
  kind === 'contract'
    ? enterprises.contractScopes
    : enterprises.maintenanceScopes.filter((scope) => scope !== 'passthrough')

/** Requests temporary access from a machine's owner, from now on by default. */
export function MaintenanceRequestDialog({ eid, onClose }: { eid: number; onClose: () => void }) {
  const text = useText()
  const t = text.enterprises.maintenance
  const [now] = useState(() => Date.now())
  const form = useForm({
    route: enterprises.requestMaintenance,
    initial: {
      code: '',
      kind: 'window' as 'window' | 'contract',
      span: { from: now, to: now + usualSpanMs } as TimeSpan,
      scopes: ['view'] as readonly enterprises.MaintenanceScope[],
      reason: '',
    },
    words: { reason: { required: t.reasonMissing } },
    check: ({ code, kind, scopes }) => ({
      code: findCodeProblem(code, text),
      scopes: scopes.some((scope) => offered(kind).includes(scope)) ? undefined : t.scopeMissing,
    }),
    send: ({ code, kind, span, scopes, reason }) =>
      call(enterprises.requestMaintenance, {
        eid,
        machineCode: parseCodeInput(code).code,
        start: span.from,
        stop: kind === 'contract' ? enterprises.noEnd : span.to,
        scopes: scopes.filter((scope) => offered(kind).includes(scope)),
        reason: reason.trim(),
      }),
    errorFields: { machineCode: 'code', start: 'span', stop: 'span' },
    done: t.sent,
    touched: [spaceKey(eid)],
    onSent: onClose,
  })
  const code = form.field('code')
  const span = form.field('span')
  const { kind } = form.values
  return (
    <FormDialog title={t.ask} submit={t.send} form={form} onClose={onClose}>
      <MachineCodeField
        {...code}
        label={t.code}
        purpose="maintained"
        check={useMachineCheck(code.value)}
        hint={<p className={css.hint}>{t.askHint}</p>}
      />
      <SelectField
        label={t.kind}
        options={kinds.map((value) => ({ value, label: t.kinds[value] }))}
        hint={t.kindHints[kind]}
        {...form.field('kind')}
      />
      {kind === 'window' && (
        <div data-field={span.name}>
          <DateRangePicker
            label={t.time}
            size="large"
            value={span.value}
            error={span.error}
            onChange={span.onChange}
          />
          <ZoneNote className={css.hint} />
        </div>
      )}
      <ChoicesField
        label={t.scopes}
        options={offered(kind).map((value) => ({ value, label: t.scopeNames[value] }))}
        {...form.field('scopes')}
      />
      <TextField label={t.reason} {...form.text('reason')} />
    </FormDialog>
  )
}
