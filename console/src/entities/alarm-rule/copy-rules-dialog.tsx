import { alarmLimits, alarmRules } from '@busbar/contract'
import { useMutation } from '@tanstack/react-query'
import { useDeferredValue, useMemo, useState } from 'react'
import { call } from '../../shared/api/client.ts'
import { formatNumber, useLang, useText } from '../../shared/i18n/index.ts'
import { Button } from '../../shared/ui/button.tsx'
import { Dialog } from '../../shared/ui/dialog.tsx'
import form from '../../shared/ui/dialogs/form.module.css'
import { SelectField } from '../../shared/ui/fields/choice-fields.tsx'
import { type Pick, PickField } from '../../shared/ui/fields/pick-field.tsx'
import { Text } from '../../shared/ui/layout/layout.tsx'
import { refusalText } from '../../shared/ui/use-act.ts'
import type { Machine } from '../machine/machine.ts'
import { filterMachines, listGroups } from '../machine/machine-order.ts'
import css from './rule-list.module.css'
import type { AlarmRule } from './rule-queries.ts'

export interface CopyRulesDialogProps {
  machineId: number
  rules: readonly AlarmRule[]
  nameOf: (rule: AlarmRule) => string
  /** Those that they can be copied to. */
  machines: readonly Machine[]
  onClose: () => void
}

/** The most that a person looks through; more are searched for. */
const machinesShown = 50
const noGroup = 0
const pickOf = ({ id, name, code }: Machine): Pick => ({ value: id, label: name, hint: code })

/** Copies rules to machines chosen by search or by group, and names the result for each. */
export function CopyRulesDialog({ machineId, rules, nameOf, machines, onClose }: CopyRulesDialogProps) {
  const text = useText()
  const t = text.alarmRules.copying
  const lang = useLang()
  const others = useMemo(() => machines.filter(({ id }) => id !== machineId), [machines, machineId])
  const groups = useMemo(
    () => listGroups(others, new Intl.Collator(lang === 'cn' ? 'zh-CN' : 'en')),
    [others, lang],
  )
  const [query, setQuery] = useState('')
  const asked = useDeferredValue(query)
  const [chosen, setChosen] = useState<readonly Pick[]>([])
  const [problem, setProblem] = useState<string>()
  const fitting = filterMachines([...others], { query: asked, state: null, groupId: null })
  const max = alarmLimits.alarmRuleCopyMachines
  const { mutate, data, isPending, isError, error } = useMutation({
    mutationFn: () =>
      call(
        alarmRules.copyAlarmRules,
        { machineId, ids: rules.map(({ id }) => id), machineIds: chosen.map(({ value }) => value) },
        { noNotice: true },
      ),
  })

  function start() {
    const wrong =
      chosen.length === 0 ? t.none : chosen.length > max ? t.tooMany(formatNumber(max)) : undefined
    setProblem(wrong)
    if (wrong === undefined) mutate()
  }

  function addGroup(groupId: number) {
    if (groupId === noGroup) return
    const known = new Set(chosen.map(({ value }) => value))
    const more = others.filter(
      ({ id, groups: own }) => !known.has(id) && own.some((group) => group.id === groupId),
    )
    setChosen([...chosen, ...more.map(pickOf)])
  }

  const why = (one: alarmRules.RuleRefusal) => text.alarmRules.refusals[one]
  const ruleName = (id: number) => {
    const rule = rules.find((one) => one.id === id)
    return rule ? nameOf(rule) : ''
  }
  return (
    <Dialog
      title={t.title}
      width={560}
      onClose={isPending ? undefined : onClose}
      actions={
        data ? (
          <Button kind="primary" onClick={onClose}>
            {text.app.close}
          </Button>
        ) : (
          <>
            <Button disabled={isPending} onClick={onClose}>
              {text.app.cancel}
            </Button>
            <Button kind="primary" busy={isPending} onClick={start}>
              {t.start}
            </Button>
          </>
        )
      }
    >
      {data ? (
        <div className={form.form}>
          <p role="status">{t.created(formatNumber(data.created))}</p>
          <ul className={css.outcomes} aria-label={t.perDevice}>
            {chosen.map(({ value, label }) => {
              const refused = data.refused.filter((one) => one.machineId === value)
              const all = refused.some(({ id }) => id === null) ? rules.length : refused.length
              return (
                <li key={value}>
                  <span className="cut" title={label}>
                    {label}
                  </span>
                  <span>{all === 0 ? t.ok : t.partly(formatNumber(all), formatNumber(rules.length))}</span>
                  {refused.map(({ id, reason }) => (
                    <Text key={id ?? reason} spans tone="quiet" size={12} breaks>
                      {id === null ? why(reason) : `${ruleName(id)}: ${why(reason)}`}
                    </Text>
                  ))}
                </li>
              )
            })}
          </ul>
        </div>
      ) : (
        <div className={form.form}>
          <Text as="p" pretty>
            {t.lead(formatNumber(rules.length))}
          </Text>
          {groups.length > 0 && (
            <SelectField
              label={t.group}
              value={noGroup}
              onChange={addGroup}
              options={[
                { value: noGroup, label: t.groupNone },
                ...groups.map(({ id, name, count }) => ({
                  value: id,
                  label: `${name} (${formatNumber(count)})`,
                })),
              ]}
            />
          )}
          <PickField
            label={t.devices}
            search={t.search}
            onQuery={setQuery}
            value={chosen}
            onChange={setChosen}
            found={fitting.slice(0, machinesShown).map(pickOf)}
            hasMore={fitting.length > machinesShown}
            none={t.noDevices}
          />
          {(problem ?? (isError && refusalText(error, text.form.failed))) && (
            <p role="alert" className={form.error}>
              {problem ?? refusalText(error, text.form.failed)}
            </p>
          )}
        </div>
      )}
    </Dialog>
  )
}
