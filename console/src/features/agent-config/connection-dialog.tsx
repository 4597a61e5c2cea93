import { useText } from '../../shared/i18n/index.ts'
import { TextField } from '../../shared/ui/field.tsx'
import { SelectField } from '../../shared/ui/fields/choice-fields.tsx'
import { FormDialog } from '../../shared/ui/form/form-dialog.tsx'
import { useForm } from '../../shared/ui/form/use-form.ts'
import { NumberField } from '../../shared/ui/number-field/number-field.tsx'
import { useAgentConfigText } from './agent-config-text.ts'
import { type ConnectionValues, connectionOf, fieldsOf, valuesOf } from './connection-values.ts'
import type { Connection } from './draft.ts'
import { wordOrders } from './registers.ts'

interface ConnectionDialogProps {
  /** Undefined: a new one, without any value. */
  connection: Connection | undefined
  isNew: boolean
  /** The kinds of drivers that the agent can have. */
  kinds: readonly string[]
  /** Names of other connections. */
  taken: readonly string[]
  onSave: (connection: Connection) => void
  onClose: () => void
}

/** The connection to a controller: the fields of its kind of driver. */
export function ConnectionDialog({
  connection,
  isNew,
  kinds,
  taken,
  onSave,
  onClose,
}: ConnectionDialogProps) {
  const all = useAgentConfigText()
  const t = all.form
  const { form: words } = useText()
  const form = useForm<ConnectionValues>({
    initial: valuesOf(connection, kinds[0] ?? 'modbus-tcp'),
    check: (values) => {
      const shown = fieldsOf(values.driver)
      const required = (field: keyof ConnectionValues) =>
        shown.includes(field) && values[field].trim() === '' ? words.required : undefined
      const isUrl = /^opc\.tcp:\/\/[^/\s]+/.test(values.url)
      return {
        name: taken.includes(values.name.trim()) ? t.taken : required('name'),
        host: required('host'),
        url: required('url') ?? (shown.includes('url') && !isUrl ? t.urlForm : undefined),
        fingerprint:
          values.security !== 'none' && values.trust === 'fingerprint' ? required('fingerprint') : undefined,
      }
    },
    send: async (values) => onSave(connectionOf(values, connection)),
  })
  const { driver, security, trust } = form.values
  const shown = fieldsOf(driver)
  const has = (field: keyof ConnectionValues) => shown.includes(field)
  const number = (field: keyof ConnectionValues, label: string, range: [number, number], unit?: string) => (
    <div data-field={field}>
      <NumberField
        {...numbersOf(field)}
        label={label}
        decimals={0}
        min={range[0]}
        max={range[1]}
        unit={unit}
      />
    </div>
  )

  return (
    <FormDialog title={isNew ? t.add : t.edit} submit={t.save} form={form} onClose={onClose}>
      <SelectField
        {...form.field('driver')}
        label={t.driver}
        options={kinds.map((value) => ({ value, label: all.drivers[value] ?? value }))}
      />
      <TextField {...form.text('name')} label={t.name} maxLength={64} autoFocus />
      {has('url') && (
        <TextField {...form.text('url')} label={t.url} placeholder="opc.tcp://192.168.0.10:4840" />
      )}
      {has('host') && <TextField {...form.text('host')} label={t.host} placeholder="192.168.0.10" />}
      {has('port') && number('port', t.port, [1, 65_535])}
      {has('unit') &&
        number('unit', t.unit, [driver === 'modbus-rtu' ? 1 : 0, driver === 'modbus-rtu' ? 247 : 255])}
      {has('rack') && number('rack', t.rack, [0, 7])}
      {has('slot') && number('slot', t.slot, [0, 31])}
      {has('security') && (
        <SelectField
          {...form.field('security')}
          label={t.security}
          options={(['none', 'Sign', 'SignAndEncrypt'] as const).map((value) => ({
            value,
            label: t.securities[value],
          }))}
        />
      )}
      {has('trust') && security !== 'none' && (
        <SelectField
          {...form.field('trust')}
          label={t.trust}
          options={[
            { value: 'first', label: t.trustFirst },
            { value: 'fingerprint', label: t.fingerprint },
          ]}
        />
      )}
      {has('trust') && security !== 'none' && trust === 'fingerprint' && (
        <TextField {...form.text('fingerprint')} label={t.fingerprint} maxLength={95} />
      )}
      {has('wordOrder') && (
        <SelectField
          {...form.field('wordOrder')}
          label={t.wordOrder}
          options={wordOrders.map((value) => ({ value, label: value }))}
        />
      )}
      {has('textEncoding') && (
        <SelectField
          {...form.field('textEncoding')}
          label={t.textEncoding}
          options={(['', 'utf8', 'gbk', 'latin1'] as const).map((value) => ({
            value,
            label:
              value === '' ? t.unsetEncodings[driver === 's7' ? 's7' : 'modbus'] : t.textEncodings[value],
          }))}
        />
      )}
      {number('pollIntervalMs', t.pollIntervalMs, [50, 3_600_000], t.ms)}
      {has('pauseMs') && number('pauseMs', t.pauseMs, [0, 10_000], t.ms)}
      {has('closeAfterPoll') && (
        <SelectField
          {...form.field('closeAfterPoll')}
          label={t.closeAfterPoll}
          options={[
            { value: '', label: t.staysOpen },
            { value: 'true', label: t.closes },
          ]}
        />
      )}
      {has('transactionIds') && (
        <SelectField
          {...form.field('transactionIds')}
          label={t.transactionIds}
          options={[
            { value: '', label: t.checked },
            { value: 'ignore', label: t.ignored },
          ]}
        />
      )}
    </FormDialog>
  )

  function numbersOf(field: keyof ConnectionValues) {
    const { value, error, onChange } = form.field(field)
    return { value, error, onChange }
  }
}
