import { alarmRules, type telemetry } from '@busbar/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useMemo, useState } from 'react'
import { call } from '../../shared/api/client.ts'
import { useLang, useText } from '../../shared/i18n/index.ts'
import { Button, IconButton } from '../../shared/ui/button.tsx'
import { ownCsvWish } from '../../shared/ui/data/csv.ts'
import { saveFile } from '../../shared/ui/data/save-file.ts'
import { ConfirmDialog } from '../../shared/ui/dialogs/confirm-dialog.tsx'
import { lazyPart } from '../../shared/ui/lazy-part.tsx'
import { Menu, MenuItem } from '../../shared/ui/menu/menu.tsx'
import { DataTable } from '../../shared/ui/table/data-table.tsx'
import { wholeList } from '../../shared/ui/table/table-source.ts'
import { useTableView } from '../../shared/ui/table/use-table-view.ts'
import { showToast } from '../../shared/ui/toast/toast-store.ts'
import { isReadOnlyKey, type Machine } from '../machine/machine.ts'
import type { CopyRulesDialogProps } from './copy-rules-dialog.tsx'
import type { ImportRulesDialogProps } from './import-rules-dialog.tsx'
import { useRuleColumns } from './rule-columns.tsx'
import type { RuleDialogProps } from './rule-dialog.tsx'
import { type AlarmRule, rulesKey, rulesQuery } from './rule-queries.ts'
import { sayRule } from './rule-words.ts'
import type { TemplatesDialogProps } from './templates-dialog.tsx'

const RuleDialog = lazyPart<RuleDialogProps>(
  () => import('./rule-dialog.tsx').then((module) => module.RuleDialog),
  'dialog',
)
const CopyRulesDialog = lazyPart<CopyRulesDialogProps>(
  () => import('./copy-rules-dialog.tsx').then((module) => module.CopyRulesDialog),
  'dialog',
)
const TemplatesDialog = lazyPart<TemplatesDialogProps>(
  () => import('./templates-dialog.tsx').then((module) => module.TemplatesDialog),
  'dialog',
)
const ImportRulesDialog = lazyPart<ImportRulesDialogProps>(
  () => import('./import-rules-dialog.tsx').then((module) => module.ImportRulesDialog),
  'dialog',
)

interface RuleListProps {
  machine: Pick<Machine, 'id' | 'code' | 'name' | 'level' | 'readOnly'>
  tags: readonly telemetry.Tag[]
  /** Read-only without it. */
  mayEdit: boolean
  /** The machines that rules can be copied to. */
  machines: readonly Machine[]
}

type Open =
  | { readonly kind: 'edit'; readonly rule: AlarmRule | undefined }
  | { readonly kind: 'copy' | 'save'; readonly rules: readonly AlarmRule[] }
  | { readonly kind: 'remove'; readonly rule: AlarmRule }
  | { readonly kind: 'templates' | 'import' }

const keyOf = ({ id }: AlarmRule) => id
const noneFound: readonly AlarmRule[] = []

/** The rules of a machine that raise alarms, with their conditions and whether the alarm is active. */
export function RuleList({ machine, tags, mayEdit, machines }: RuleListProps): ReactNode {
  const text = useText()
  const t = text.alarmRules
  const lang = useLang()
  const machineId = machine.id
  const client = useQueryClient()
  const query = useQuery(rulesQuery(machineId, lang))
  const view = useTableView({ id: 'alarm.rules' })
  const [open, setOpen] = useState<Open>()
  const byId = useMemo(() => new Map(tags.map((tag) => [tag.tagId, tag])), [tags])
  const nameOf = (rule: AlarmRule) => sayRule(rule, byId, text)
  const close = () => setOpen(undefined)
  const settled = () => client.invalidateQueries({ queryKey: rulesKey(machineId) })
  const rules = query.data ?? noneFound
  const lead = !mayEdit && isReadOnlyKey(machine) ? text.access.lacks.settings : t.lead

  async function save() {
    try {
      const { csv } = await call(
        alarmRules.exportAlarmRules,
        { machineId, ...ownCsvWish() },
        { noNotice: true },
      )
      saveFile(`${machine.name || machine.code} ${t.file}.csv`, csv, 'text/csv')
    } catch {
      showToast(t.exporting.failed, 'failure')
    }
  }

  const actionsOf = (rule: AlarmRule) => (
    <>
      <IconButton icon="edit" label={t.edit} onClick={() => setOpen({ kind: 'edit', rule })} />
      <Menu
        label={t.moreOf(nameOf(rule))}
        trigger={<IconButton icon="more" label={t.moreOf(nameOf(rule))} />}
      >
        <MenuItem icon="copy" onAction={() => setOpen({ kind: 'copy', rules: [rule] })}>
          {t.copy}
        </MenuItem>
        <MenuItem icon="trash" danger onAction={() => setOpen({ kind: 'remove', rule })}>
          {t.remove}
        </MenuItem>
      </Menu>
    </>
  )
  const columns = useRuleColumns(byId, mayEdit ? actionsOf : undefined)

  const add = mayEdit && (
    <Button kind="primary" icon="plus" onClick={() => setOpen({ kind: 'edit', rule: undefined })}>
      {t.add}
    </Button>
  )
  const more = (
    <Menu label={t.more} trigger={<IconButton icon="more" label={t.more} />}>
      {mayEdit && rules.length > 0 && (
        <MenuItem icon="copy" onAction={() => setOpen({ kind: 'copy', rules })}>
          {t.copy}
        </MenuItem>
      )}
      {mayEdit && (
        <MenuItem icon="list" onAction={() => setOpen({ kind: 'templates' })}>
          {t.templates.title}
        </MenuItem>
      )}
      {mayEdit && (
        <MenuItem icon="plus" onAction={() => setOpen({ kind: 'import' })}>
          {t.importing.title}
        </MenuItem>
      )}
      {rules.length > 0 && (
        <MenuItem icon="download" onAction={() => void save()}>
          {t.exporting.action}
        </MenuItem>
      )}
    </Menu>
  )
  const bulk = (chosen: readonly AlarmRule[]) => (
    <>
      <Button icon="copy" onClick={() => setOpen({ kind: 'copy', rules: chosen })}>
        {t.copy}
      </Button>
      <Button icon="list" onClick={() => setOpen({ kind: 'save', rules: chosen })}>
        {t.templates.save}
      </Button>
    </>
  )

  return (
    <>
      <DataTable
        title={t.title}
        lead={lead}
        view={view}
        source={wholeList(query)}
        columns={columns}
        rowKey={keyOf}
        rowName={nameOf}
        search={t.search}
        searched={({ text: words, tag, instruction }) => [words.cn, words.en, tag, instruction]}
        {...(mayEdit && { bulk, onOpen: (rule: AlarmRule) => setOpen({ kind: 'edit', rule }) })}
        hasKeys={false}
        empty={{ icon: 'alarm', title: t.none, hint: mayEdit ? t.noneHint : lead, action: add }}
        actions={
          <>
            {(mayEdit || rules.length > 0) && more}
            {rules.length > 0 && add}
          </>
        }
      />
      {open?.kind === 'edit' && (
        <RuleDialog {...{ machineId, tags }} machineCode={machine.code} rule={open.rule} onClose={close} />
      )}
      {open?.kind === 'copy' && (
        <CopyRulesDialog {...{ machineId, machines }} rules={open.rules} nameOf={nameOf} onClose={close} />
      )}
      {(open?.kind === 'templates' || open?.kind === 'save') && (
        <TemplatesDialog
          machineId={machineId}
          rules={open.kind === 'save' ? open.rules : rules}
          onClose={close}
        />
      )}
      {open?.kind === 'import' && <ImportRulesDialog machineId={machineId} onClose={close} />}
      {open?.kind === 'remove' && (
        <ConfirmDialog
          confirmation={{
            title: t.removing.title,
            body: t.removing.body(nameOf(open.rule)),
            action: t.remove,
            done: t.removing.done,
            call: () => call(alarmRules.deleteAlarmRule, { id: open.rule.id }),
          }}
          onClose={close}
          onSettled={settled}
        />
      )}
    </>
  )
}
