import { alarmLimits, alarmRules, type telemetry } from '@busbar/contract'
import { formatNumber, joinUnit, useText } from '../../shared/i18n/index.ts'
import { Button, IconButton } from '../../shared/ui/button.tsx'
import { TagValueText } from '../../shared/ui/data/tag-value-text.tsx'
import { TextField } from '../../shared/ui/field.tsx'
import { SelectField } from '../../shared/ui/fields/choice-fields.tsx'
import { FieldError } from '../../shared/ui/kit/field-error.tsx'
import { Grid, Row } from '../../shared/ui/layout/layout.tsx'
import { NumberField } from '../../shared/ui/number-field/number-field.tsx'
import { parseNumber } from '../../shared/ui/number-field/number-text.ts'
import { VariableField } from '../machine/variable-field.tsx'
import css from './rule-form.module.css'
import {
  type ConditionInput,
  conditionProblems,
  emptyPart,
  fitsKind,
  type InputProblems,
  isUpper,
  type PartInput,
} from './rule-input.ts'
import { spanUnits, type TagsById } from './rule-words.ts'
import { SpanField } from './span-field.tsx'
import { useLatestValue } from './use-latest-value.ts'

/** A limit may have as many decimals as people write. */
const decimals = 9

interface ConditionFieldsProps {
  machineId: number
  tags: readonly telemetry.Tag[]
  byId: TagsById
  input: ConditionInput
  problems: InputProblems<ConditionInput>
  /** Number of combinations around it. */
  depth?: number
  /** Problems of its parts are shown. */
  isChecked: boolean
  onChange: (change: Partial<ConditionInput>) => void
}

/** A condition: its kind, its variable with the value it has now, and the fields of the kind. */
export function ConditionFields(props: ConditionFieldsProps) {
  const { machineId, tags, byId, input, problems, depth = 0, isChecked, onChange } = props
  const t = useText().alarmRules
  const isGroup = input.kind === 'all' || input.kind === 'any'
  const kinds = alarmRules.ruleKinds.filter(
    (kind) =>
      (depth < alarmLimits.alarmRuleNesting || (kind !== 'all' && kind !== 'any')) &&
      (depth === 0 || kind !== 'away'),
  )

  function chooseKind(kind: alarmRules.RuleKind) {
    const starts = (kind === 'all' || kind === 'any') && input.rules.length === 0
    onChange({ kind, ...(starts && { rules: [emptyPart(input.tagId), emptyPart()] }) })
  }

  return (
    <>
      <SelectField
        label={t.editor.kind}
        name="kind"
        value={input.kind}
        onChange={chooseKind}
        options={kinds.map((value) => ({ value, label: t.kinds[value] }))}
        hint={t.kindHints[input.kind]}
      />
      {isGroup ? (
        <Parts {...{ machineId, tags, byId, input, depth, isChecked, onChange }} problem={problems.rules} />
      ) : input.kind === 'away' ? (
        <AwayFields {...{ input, problems, onChange }} />
      ) : (
        <LeafFields {...{ machineId, tags, byId, input, problems, onChange }} />
      )}
    </>
  )
}

function AwayFields({ input, problems, onChange }: Omit<KindProps, 'tag'>) {
  const t = useText().alarmRules.editor
  return (
    <>
      <SpanField
        name="minutes"
        label={t.away}
        value={input.minutes}
        error={problems.minutes}
        onChange={(minutes) => onChange({ minutes })}
      />
      <p className={css.hint}>{t.awayHint}</p>
    </>
  )
}

type LeafProps = Omit<ConditionFieldsProps, 'depth' | 'isChecked'>

function LeafFields({ machineId, byId, input, problems, onChange }: LeafProps) {
  const t = useText().alarmRules.editor
  const tag = input.tagId === null ? undefined : byId.get(input.tagId)
  return (
    <>
      <VariableField
        label={t.tag}
        name="tagId"
        machineId={machineId}
        tag={tag}
        isOffered={(one) => fitsKind(input.kind, one)}
        error={problems.tagId}
        onChoose={(tagId) => onChange({ tagId, equals: '' })}
      />
      {tag && <ValueNow machineId={machineId} tag={tag} />}
      {input.kind === 'threshold' && <ThresholdFields {...{ tag, input, problems, onChange }} />}
      {input.kind === 'state' && <StateFields {...{ tag, input, problems, onChange }} />}
      {input.kind === 'rate' && <RateFields {...{ tag, input, problems, onChange }} />}
      {input.kind === 'noData' && (
        <>
          <SpanField
            name="seconds"
            label={t.silence}
            value={input.seconds}
            error={problems.seconds}
            onChange={(seconds) => onChange({ seconds })}
          />
          <p className={css.hint}>{t.silenceHint}</p>
        </>
      )}
    </>
  )
}

function ValueNow({ machineId, tag }: { machineId: number; tag: telemetry.Tag }) {
  const t = useText().alarmRules.editor
  const live = useLatestValue(machineId, tag.tagId)
  return (
    <Row as="p" gap={8} align="baseline" tone="quiet" size={12} className={css.now}>
      {t.now}
      <b>
        <TagValueText value={live?.value} tag={tag} quality={live?.quality ?? 'good'} />
      </b>
    </Row>
  )
}

interface KindProps {
  tag: telemetry.Tag | undefined
  input: ConditionInput
  problems: InputProblems<ConditionInput>
  onChange: (change: Partial<ConditionInput>) => void
}

function ThresholdFields({ tag, input, problems, onChange }: KindProps) {
  const t = useText().alarmRules.editor
  const [limit, deadband] = [parseNumber(input.limit), parseNumber(input.deadband)]
  const upper = isUpper(input.op)
  const back =
    limit === undefined || !deadband
      ? undefined
      : joinUnit(formatNumber(upper ? limit - deadband : limit + deadband), tag?.unit ?? '')
  return (
    <>
      <div className={css.row}>
        <SelectField
          label={t.op}
          name="op"
          value={input.op}
          onChange={(op) => onChange({ op })}
          options={alarmRules.ruleOps.map((value) => ({ value, label: t.ops[value] }))}
        />
        <div data-field="limit">
          <NumberField
            label={t.limit}
            size="large"
            decimals={decimals}
            step={1}
            value={input.limit}
            unit={tag?.unit}
            error={problems.limit}
            onChange={(value) => onChange({ limit: value })}
          />
        </div>
        <div data-field="deadband">
          <NumberField
            label={t.deadband}
            size="large"
            decimals={decimals}
            step={1}
            min={0}
            value={input.deadband}
            unit={tag?.unit}
            error={problems.deadband}
            onChange={(value) => onChange({ deadband: value })}
          />
        </div>
      </div>
      <p className={css.hint}>
        {back === undefined ? t.deadbandNone : upper ? t.deadbandAbove(back) : t.deadbandBelow(back)}
      </p>
    </>
  )
}

function StateFields({ tag, input, problems, onChange }: KindProps) {
  const text = useText()
  const t = text.alarmRules.editor
  const mayBit = tag?.type === 'int64'
  const isBit = mayBit && input.test === 'bit'
  const words = text.machines.bool
  const named =
    tag?.type === 'bool'
      ? [
          { value: 'true', label: tag.enum?.true ?? tag.enum?.['1'] ?? words.on },
          { value: 'false', label: tag.enum?.false ?? tag.enum?.['0'] ?? words.off },
        ]
      : Object.entries(tag?.enum ?? {}).map(([value, label]) => ({ value, label }))
  return (
    <div className={css.row}>
      {mayBit && (
        <SelectField
          label={t.test}
          value={input.test}
          onChange={(test) => onChange({ test })}
          options={(['value', 'bit'] as const).map((value) => ({ value, label: t.tests[value] }))}
        />
      )}
      {isBit && (
        <>
          <div data-field="bit">
            <NumberField
              label={t.bit}
              size="large"
              decimals={0}
              min={0}
              max={63}
              value={input.bit}
              error={problems.bit}
              onChange={(bit) => onChange({ bit })}
            />
          </div>
          <SelectField
            label={t.bitState}
            value={input.isSet ? 'set' : 'clear'}
            onChange={(state) => onChange({ isSet: state === 'set' })}
            options={(['set', 'clear'] as const).map((value) => ({ value, label: t.bitStates[value] }))}
          />
        </>
      )}
      {!isBit && named.length > 0 && (
        <SelectField
          label={t.equals}
          name="equals"
          value={input.equals}
          error={problems.equals}
          onChange={(equals) => onChange({ equals })}
          options={named}
        />
      )}
      {!isBit && named.length === 0 && (
        <TextField
          label={t.equals}
          name="equals"
          value={input.equals}
          inputMode={tag && tag.type !== 'string' ? 'decimal' : 'text'}
          maxLength={100}
          error={problems.equals}
          onChange={(equals) => onChange({ equals })}
        />
      )}
    </div>
  )
}

function RateFields({ tag, input, problems, onChange }: KindProps) {
  const t = useText().alarmRules
  return (
    <div className={css.row}>
      <SelectField
        label={t.editor.direction}
        value={input.direction}
        onChange={(direction) => onChange({ direction })}
        options={(['up', 'down', 'count'] as const).map((value) => ({
          value,
          label: t.editor.directions[value],
        }))}
      />
      <Grid gap={6} align="start" className={css.joined} data-field="perSecond">
        <NumberField
          label={t.editor.rate}
          size="large"
          decimals={decimals}
          step={1}
          min={0}
          value={input.perSecond}
          unit={tag?.unit}
          error={problems.perSecond}
          onChange={(perSecond) => onChange({ perSecond })}
        />
        <SelectField
          label={t.editor.per}
          value={input.per}
          onChange={(per) => onChange({ per })}
          options={spanUnits.map((value) => ({ value, label: t.perUnits[value] }))}
        />
      </Grid>
      <SpanField
        name="overSeconds"
        label={t.editor.over}
        value={input.overSeconds}
        error={problems.overSeconds}
        onChange={(overSeconds) => onChange({ overSeconds })}
      />
    </div>
  )
}

interface PartsProps extends Omit<ConditionFieldsProps, 'problems' | 'depth'> {
  depth: number
  problem: string | undefined
}

function Parts({ machineId, tags, byId, input, problem, depth, isChecked, onChange }: PartsProps) {
  const text = useText()
  const t = text.alarmRules
  const { rules } = input
  const change = (key: number, changes: Partial<PartInput>) =>
    onChange({ rules: rules.map((part) => (part.key === key ? { ...part, ...changes } : part)) })
  return (
    <div data-field="rules" className={css.section}>
      {rules.map((part, place) => {
        const name = formatNumber(place + 1)
        return (
          // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be as narrow as its dialog
          <div key={part.key} role="group" aria-label={t.editor.parts(name)} className={css.part}>
            <Row gap={8} justify="between">
              <b>{t.editor.parts(name)}</b>
              {rules.length > 2 && (
                <IconButton
                  icon="trash"
                  label={t.editor.removePart(name)}
                  onClick={() => onChange({ rules: rules.filter(({ key }) => key !== part.key) })}
                />
              )}
            </Row>
            <ConditionFields
              {...{ machineId, tags, byId, isChecked }}
              input={part}
              depth={depth + 1}
              problems={isChecked ? conditionProblems(part, byId, text) : {}}
              onChange={(changes) => change(part.key, changes)}
            />
          </div>
        )
      })}
      {rules.length < alarmLimits.alarmRuleParts && (
        <div>
          <Button icon="plus" onClick={() => onChange({ rules: [...rules, emptyPart()] })}>
            {t.editor.addPart}
          </Button>
        </div>
      )}
      {problem && <FieldError id="rule-parts">{problem}</FieldError>}
    </div>
  )
}
