import { type Text, useText } from '../../shared/i18n/index.ts'
import type { Enterprise } from '../../shared/session/account-queries.ts'
import { parseId } from '../../shared/session/search.ts'
import form from '../../shared/ui/dialogs/form.module.css'
import { TextField } from '../../shared/ui/field.tsx'
import { SelectField } from '../../shared/ui/fields/choice-fields.tsx'
import { ToggleGroup } from '../../shared/ui/toggle-group/toggle-group.tsx'
import { PersonField } from './person-field.tsx'
import { emptyPerson, findPersonProblem, formatPerson, type PersonInput, toPerson } from './person-input.ts'

/** The entered receiver of an offered machine. */
export interface ReceiverInput {
  readonly kind: 'person' | 'enterprise'
  readonly person: PersonInput
  /** One of the caller's enterprises; 0: another one, by `number`; undefined: the first of them. */
  readonly eid?: number | undefined
  readonly number: string
}

type Spaces = readonly Pick<Enterprise, 'eid' | 'name'>[]

export const emptyReceiver: ReceiverInput = { kind: 'person', person: emptyPerson, number: '' }

const chosenOf = ({ eid }: ReceiverInput, spaces: Spaces): number => eid ?? spaces[0]?.eid ?? 0

const eidOf = (input: ReceiverInput, spaces: Spaces): number | undefined =>
  chosenOf(input, spaces) || parseId(input.number.trim())

/** The receiver as the call wants it. */
export function toReceiver(input: ReceiverInput, spaces: Spaces) {
  return input.kind === 'person' ? toPerson(input.person) : { eid: eidOf(input, spaces) ?? 0 }
}

/** The entered receiver in readable form. */
export function formatReceiver(input: ReceiverInput, spaces: Spaces): string {
  if (input.kind === 'person') return formatPerson(input.person)
  const eid = eidOf(input, spaces)
  return spaces.find((space) => space.eid === eid)?.name ?? `#${eid}`
}

/** The problems that the form finds without asking the platform. */
export function findReceiverProblem(input: ReceiverInput, spaces: Spaces, text: Text): string | undefined {
  if (input.kind === 'person') return findPersonProblem(input.person, text)
  return eidOf(input, spaces) === undefined ? text.machineEdit.transfer.numberForm : undefined
}

interface ReceiverFieldProps {
  /** By which a form finds it. */
  name?: string
  value: ReceiverInput
  /** Enterprises the caller belongs to. */
  spaces: Spaces
  error: string | undefined
  /** The name of the field for a person; left out: the new owner of a machine. */
  label?: string
  /** The consequences for each kind of receiver; left out: those of a single offered machine. */
  hints?: { readonly person: string; readonly enterprise: string }
  onChange: (value: ReceiverInput) => void
}

/** A person, or an enterprise: one of the caller's, or any other by its number. */
export function ReceiverField({ name, value, spaces, error, label, hints, onChange }: ReceiverFieldProps) {
  const t = useText().machineEdit.transfer
  const change = (part: Partial<ReceiverInput>) => onChange({ ...value, ...part })
  const chosen = chosenOf(value, spaces)
  const named = name === undefined ? {} : { name }
  return (
    <>
      {/* No wider than its two choices. */}
      <div>
        <ToggleGroup
          label={t.kind}
          value={value.kind}
          onChange={(kind) => change({ kind })}
          options={[
            { value: 'person', label: t.person },
            { value: 'enterprise', label: t.enterprise },
          ]}
        />
      </div>
      {value.kind === 'person' ? (
        <div>
          <PersonField
            label={label ?? t.account}
            {...named}
            value={value.person}
            error={error}
            onChange={(person) => change({ person })}
          />
          <p className={form.hint}>{hints?.person ?? t.until}</p>
        </div>
      ) : (
        <>
          {spaces.length > 0 && (
            <SelectField
              label={t.receiver}
              {...(chosen === 0 ? {} : { ...named, error })}
              value={chosen}
              onChange={(eid) => change({ eid })}
              options={[
                ...spaces.map(({ eid, name }) => ({ value: eid, label: name })),
                { value: 0, label: t.otherEnterprise },
              ]}
            />
          )}
          {chosen === 0 && (
            <div>
              <TextField
                label={t.number}
                name={name}
                inputMode="numeric"
                autoComplete="off"
                value={value.number}
                error={error}
                onChange={(number) => change({ number })}
              />
              <p className={form.hint}>{t.numberHint}</p>
            </div>
          )}
          <p className={form.hint}>{hints?.enterprise ?? t.untilOfSpace}</p>
        </>
      )}
    </>
  )
}
