import { useText } from '../../shared/i18n/index.ts'
import { TextField } from '../../shared/ui/field.tsx'
import type { Form } from '../../shared/ui/form/use-form.ts'
import { FieldError } from '../../shared/ui/kit/field-error.tsx'
import { Row } from '../../shared/ui/layout/layout.tsx'
import { ToggleGroup } from '../../shared/ui/toggle-group/toggle-group.tsx'
import css from './rule-form.module.css'
import type { RuleInput } from './rule-input.ts'

/** The days and times at which a rule applies, by the clock of its device. */
export function HoursFields({ form }: { form: Form<RuleInput> }) {
  const t = useText().alarmRules.editor
  const { isLimited, days } = form.values
  const toggle = (day: number) =>
    form.set('days', days.includes(day) ? days.filter((one) => one !== day) : [...days, day].sort())
  return (
    <>
      <ToggleGroup
        label={t.hours}
        value={isLimited ? 'limited' : 'always'}
        onChange={(value) => form.set('isLimited', value === 'limited')}
        options={[
          { value: 'always', label: t.hoursAlways },
          { value: 'limited', label: t.hoursLimited },
        ]}
      />
      {isLimited && (
        <>
          <Row role="group" aria-label={t.days} gap={6} align="stretch" wraps data-field="days">
            {t.weekdays.map((name, place) => (
              <button
                key={name}
                type="button"
                className={css.day}
                aria-pressed={days.includes(place + 1)}
                onClick={() => toggle(place + 1)}
              >
                {name}
              </button>
            ))}
          </Row>
          {form.problems.days && <FieldError>{form.problems.days}</FieldError>}
          <div className={css.row}>
            <TextField label={t.from} inputMode="numeric" placeholder="08:00" {...form.text('from')} />
            <TextField label={t.to} inputMode="numeric" placeholder="18:00" {...form.text('to')} />
          </div>
          <p className={css.hint}>{t.hoursHint}</p>
        </>
      )}
    </>
  )
}
