import { alarmRules, machines, type telemetry } from '@busbar/contract'
import { useMemo, useState } from 'react'
import { call } from '../../shared/api/client.ts'
import { useText } from '../../shared/i18n/index.ts'
import { SelectField } from '../../shared/ui/fields/choice-fields.tsx'
import { TextArea } from '../../shared/ui/fields/text-area.tsx'
import { FormDialog } from '../../shared/ui/form/form-dialog.tsx'
import { useForm } from '../../shared/ui/form/use-form.ts'
import { Stack } from '../../shared/ui/layout/layout.tsx'
import { ConditionFields } from './condition-fields.tsx'
import { HoursFields } from './hours-fields.tsx'
import css from './rule-form.module.css'
import { changeRule, type RuleInput, readRuleInput, ruleInput, ruleProblems } from './rule-input.ts'
import { type AlarmRule, allRulesKey, rulesKey } from './rule-queries.ts'
import { RuleTexts } from './rule-texts.tsx'
import { RuleTrial } from './rule-trial.tsx'
import { SpanField } from './span-field.tsx'

export interface RuleDialogProps {
  machineId: number
  machineCode: string
  tags: readonly telemetry.Tag[]
  /** Undefined: one is made. */
  rule: AlarmRule | undefined
  onClose: () => void
}

/** A rule for alarms: its condition, its delays, what its alarm says, and when it holds; tried before it is saved. */
export function RuleDialog({ machineId, machineCode, tags, rule, onClose }: RuleDialogProps) {
  const text = useText()
  const t = text.alarmRules.editor
  const byId = useMemo(() => new Map(tags.map((tag) => [tag.tagId, tag])), [tags])
  const [isChecked, setChecked] = useState(false)
  const form = useForm<RuleInput>({
    initial: ruleInput(rule),
    check: (values) => ruleProblems(values, byId, text),
    send: async (values) => {
      const fields = readRuleInput(values, byId)
      if (rule) await call(alarmRules.updateAlarmRule, { id: rule.id, ...fields })
      else await call(alarmRules.createAlarmRule, { machineId, ...fields })
    },
    errorFields: { RULE_TAG_UNKNOWN: 'tagId', RULE_TAG_TYPE: 'tagId', text: 'cn', activeHours: 'from' },
    done: t.saved,
    touched: [rulesKey(machineId), allRulesKey],
    onSent: onClose,
  })
  const { values, problems } = form

  function change(changes: Partial<RuleInput>) {
    const next = changeRule(values, changes)
    for (const field of Object.keys(next) as (keyof RuleInput)[])
      if (next[field] !== values[field]) form.set(field, next[field])
  }

  const withProblems = {
    ...form,
    props: {
      ...form.props,
      onSubmit: (event: Parameters<typeof form.props.onSubmit>[0]) => {
        setChecked(true)
        form.props.onSubmit(event)
      },
    },
  }
  return (
    <FormDialog
      title={rule ? t.edit : t.add}
      submit={t.save}
      form={withProblems}
      width={680}
      onClose={onClose}
    >
      <section className={css.section} aria-label={t.condition}>
        <h3 className={css.title}>{t.condition}</h3>
        <ConditionFields
          {...{ machineId, tags, byId, problems, isChecked }}
          input={values}
          onChange={change}
        />
      </section>
      <section className={css.section} aria-label={t.delays}>
        <h3 className={css.title}>{t.delays}</h3>
        <div className={css.row}>
          {(['onDelay', 'offDelay'] as const).map((field) => (
            <Stack key={field} gap={6}>
              <SpanField
                {...form.field(field)}
                label={t[field]}
                onChange={(value) => change({ [field]: value })}
              />
              <p className={css.hint}>{t[`${field}Hint`]}</p>
            </Stack>
          ))}
        </div>
      </section>
      <section className={css.section} aria-label={t.alarm}>
        <h3 className={css.title}>{t.alarm}</h3>
        <SelectField
          label={t.level}
          {...form.field('level')}
          options={machines.alarmLevels.map((value) => ({
            value,
            label: text.machines.alarms.levels[value],
          }))}
        />
        <RuleTexts {...{ machineId, machineCode, byId, form }} />
        <TextArea
          label={t.instruction}
          {...form.text('instruction')}
          hint={<span className={css.hint}>{t.instructionHint}</span>}
        />
      </section>
      <section className={css.section} aria-label={t.hours}>
        <h3 className={css.title}>{t.hours}</h3>
        <HoursFields form={form} />
      </section>
      <RuleTrial {...{ machineId, tags, byId, values }} />
      {rule?.isActive && <p className={css.hint}>{t.clears}</p>}
    </FormDialog>
  )
}
