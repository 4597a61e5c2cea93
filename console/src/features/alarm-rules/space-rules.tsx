import { alarmRules } from '@busbar/contract'
import { useState } from 'react'
import type { CopyRulesDialogProps } from '../../entities/alarm-rule/copy-rules-dialog.tsx'
import { RuleState } from '../../entities/alarm-rule/rule-columns.tsx'
import { allRulesKey, rulesRefreshMs } from '../../entities/alarm-rule/rule-queries.ts'
import { sayRule } from '../../entities/alarm-rule/rule-words.ts'
import type { Machine } from '../../entities/machine/machine.ts'
import { formatNumber, useLang, useText } from '../../shared/i18n/index.ts'
import { calls } from '../../shared/resource/acts.tsx'
import { List } from '../../shared/resource/list.tsx'
import { pages } from '../../shared/resource/rows.ts'
import { lazyPart } from '../../shared/ui/lazy-part.tsx'
import { NewRule, RuleOfDevice } from './rule-of-device.tsx'

const CopyRulesDialog = lazyPart<CopyRulesDialogProps>(
  () => import('../../entities/alarm-rule/copy-rules-dialog.tsx').then((module) => module.CopyRulesDialog),
  'dialog',
)

type Rule = alarmRules.AlarmRuleOfSpace

interface SpaceRulesProps {
  /** The space as calls name it. */
  asked: { readonly eid?: number }
  machines: readonly Machine[]
  /** Those that the person may give a rule. */
  editable: readonly Machine[]
  /** Shows the rules of one device. */
  onDevice: (machineId: number) => void
}

/** The rules of all devices of a space in one table. */
export function SpaceRules({ asked, machines, editable, onDevice }: SpaceRulesProps) {
  const text = useText()
  const t = text.alarmRules
  const lang = useLang()
  const [edited, edit] = useState<Rule>()
  const { levels } = text.machines.alarms
  const deviceOf = ({ machineName, machineCode }: Rule) => machineName || machineCode
  const sentenceOf = (rule: Rule) => sayRule(rule, new Map(rule.tags.map((tag) => [tag.tagId, tag])), text)
  const nameOf = (rule: Rule) => `${deviceOf(rule)} · ${sentenceOf(rule)}`
  const other = lang === 'cn' ? 'en' : 'cn'
  const textOf = (rule: Rule) => {
    const tag = rule.tags.find(({ tagId }) => tagId === rule.tagId)
    const known: Readonly<Record<string, string | undefined>> = {
      tag: tag?.name || tag?.tag,
      limit: rule.limit === undefined ? undefined : formatNumber(rule.limit),
      unit: tag?.unit,
      machine: rule.machineCode,
    }
    const words = rule.text[lang] || rule.text[other]
    return words.replace(/\{(\w+)\}/g, (all, name: string) => known[name] ?? all).trim()
  }
  return (
    <>
      <List
        id="alarm.rules.all"
        title={t.title}
        lead={t.lead}
        // Names of variables come in the caller's language.
        rows={pages(alarmRules.listAllAlarmRules, asked, {
          under: [...allRulesKey, lang],
          refreshMs: rulesRefreshMs,
        })}
        rowKey="id"
        rowName={nameOf}
        titles={t.columns}
        columns={{
          device: { kind: 'name', value: deviceOf, minor: (rule) => rule.machineCode, order: 'device' },
          text: { kind: 'text', value: textOf, grow: 1.2, rank: 3 },
          condition: { kind: 'text', value: sentenceOf, width: 200, grow: 1.8, rank: 1 },
          level: { kind: 'state', value: 'level', words: levels, order: 'level', width: 90, rank: 4 },
          state: {
            kind: 'text',
            value: ({ isActive }) => t.states[isActive ? 'active' : 'normal'],
            cell: (rule) => <RuleState rule={rule} />,
            order: 'state',
            rank: 2,
          },
        }}
        filters={{
          level: { title: t.columns.level, choices: levels },
          state: { title: t.columns.state, choices: t.states },
        }}
        search={t.searchAll}
        isExported
        hasKeys={false}
        touched={[allRulesKey]}
        isSelectable={false}
        onOpen={(rule) => (rule.mayEdit ? edit(rule) : onDevice(rule.machineId))}
        add={
          editable.length > 0 && {
            label: t.add,
            opens: (close) => <NewRule machines={editable} onClose={close} />,
          }
        }
        acts={[
          {
            label: t.edit,
            icon: 'edit',
            fits: ({ mayEdit }) => mayEdit,
            opens: (close, rule) => <RuleOfDevice machine={rule} rule={rule} onClose={close} />,
          },
          {
            label: t.ofDevice,
            icon: 'list',
            place: 'menu',
            run: async ({ machineId }) => onDevice(machineId),
          },
          {
            label: t.copy,
            icon: 'copy',
            place: 'menu',
            fits: ({ mayEdit }) => mayEdit,
            opens: (close, rule) => (
              <CopyRulesDialog
                machineId={rule.machineId}
                machines={machines}
                rules={[rule]}
                nameOf={() => sentenceOf(rule)}
                onClose={close}
              />
            ),
          },
          {
            ...calls(alarmRules.deleteAlarmRule, ({ id }: Rule) => ({ id })),
            label: t.remove,
            icon: 'trash',
            place: 'menu',
            danger: true,
            fits: ({ mayEdit }) => mayEdit,
            asks: {
              title: () => t.removing.title,
              body: (rules) => rules.map((rule) => t.removing.body(nameOf(rule))),
            },
            done: t.removing.done,
          },
        ]}
        empty={{ icon: 'alarm', title: t.none, hint: editable.length > 0 ? t.noneHint : t.lead }}
      />
      {edited && <RuleOfDevice machine={edited} rule={edited} onClose={() => edit(undefined)} />}
    </>
  )
}
