import type { alarmRules } from '@busbar/contract'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { RuleDialogProps } from '../../entities/alarm-rule/rule-dialog.tsx'
import type { Machine } from '../../entities/machine/machine.ts'
import { machineTagsQuery } from '../../entities/machine/machine-queries.ts'
import { useLang, useText } from '../../shared/i18n/index.ts'
import { Button } from '../../shared/ui/button.tsx'
import { ComboBox } from '../../shared/ui/combo-box/combo-box.tsx'
import { Dialog } from '../../shared/ui/dialog.tsx'
import { EmptyState } from '../../shared/ui/empty-state.tsx'
import { lazyPart } from '../../shared/ui/lazy-part.tsx'
import { Skeleton } from '../../shared/ui/skeleton.tsx'

const RuleDialog = lazyPart<RuleDialogProps>(
  () => import('../../entities/alarm-rule/rule-dialog.tsx').then((module) => module.RuleDialog),
  'dialog',
)

interface RuleOfDeviceProps {
  machine: { readonly machineId: number; readonly machineCode: string }
  /** Undefined: one is made. */
  rule: alarmRules.AlarmRule | undefined
  onClose: () => void
}

/** The editor of a rule, with the variables of its device. */
export function RuleOfDevice({ machine: { machineId, machineCode }, rule, onClose }: RuleOfDeviceProps) {
  const { alarmRules: t, machines: words } = useText()
  const tags = useQuery(machineTagsQuery(machineId, useLang()))
  if (tags.data) return <RuleDialog {...{ machineId, machineCode, rule, onClose }} tags={tags.data} />
  return (
    <Dialog title={rule ? t.editor.edit : t.editor.add} width={680} onClose={onClose}>
      {tags.isError ? (
        <EmptyState icon="warning" title={words.variables.failed} hint={words.failed.hint}>
          <Button icon="refresh" busy={tags.isFetching} onClick={() => void tags.refetch()}>
            {words.failed.retry}
          </Button>
        </EmptyState>
      ) : (
        <Skeleton height={160} />
      )}
    </Dialog>
  )
}

/** A new rule: of a device that is chosen first, if there are several. */
export function NewRule({ machines, onClose }: { machines: readonly Machine[]; onClose: () => void }) {
  const t = useText().alarmRules
  const [chosenId, choose] = useState(machines.length === 1 ? machines[0]?.id : undefined)
  const chosen = machines.find(({ id }) => id === chosenId)
  if (chosen) {
    const machine = { machineId: chosen.id, machineCode: chosen.code }
    return <RuleOfDevice machine={machine} rule={undefined} onClose={onClose} />
  }
  return (
    <Dialog title={t.editor.add} width={440} onClose={onClose}>
      <ComboBox
        label={t.pick.device}
        placeholder={t.pick.choose}
        choices={deviceChoices(machines)}
        chosen={[]}
        onChoose={([id]) => choose(Number(id))}
        searchLabel={t.pick.search}
        noneText={t.pick.noMatch}
      />
    </Dialog>
  )
}

/** Devices as a field offers them. */
export const deviceChoices = (machines: readonly Machine[]) =>
  machines.map(({ id, name, code }) => ({ value: String(id), label: name, hint: code }))
