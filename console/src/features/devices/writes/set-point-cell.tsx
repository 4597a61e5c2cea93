import type { telemetry } from '@busbar/contract'
import type { Ref } from 'react'
import { useLiveValue } from '../../../entities/machine/live-values.ts'
import { visitIcons } from '../../../entities/machine/visit-icons.ts'
import { useText } from '../../../shared/i18n/index.ts'
import { Icon } from '../../../shared/ui/icon.tsx'
import { Switch } from '../../../shared/ui/switch.tsx'
import css from './set-point.module.css'
import { setPoints, useWriteProgress } from './set-points.ts'

interface SetPointCellProps {
  machineId: number
  tag: telemetry.Tag
  /** Its editor is open. */
  isOpen: boolean
  onOpen: () => void
  ref: Ref<HTMLButtonElement>
}

/** The way to set a tag: a switch for what is on or off, which shows what the machine says; else opens the editor. */
export function SetPointCell({ machineId, tag, isOpen, onOpen, ref }: SetPointCellProps) {
  const t = useText()
  const words = t.visits.setPoint
  const value = useLiveValue(tag.tagId)?.value
  const progress = useWriteProgress(tag.tagId)
  if (tag.type === 'bool') {
    return (
      <Switch
        label={words.edit(tag.name)}
        checked={value === true}
        disabled={typeof value !== 'boolean' || progress?.kind === 'sending'}
        onChange={(checked) => void setPoints.write(machineId, tag.tagId, checked)}
      />
    )
  }
  return (
    <button
      ref={ref}
      type="button"
      className={css.edit}
      aria-label={words.edit(tag.name)}
      aria-expanded={isOpen}
      onClick={onOpen}
    >
      <Icon path={visitIcons.edit} size={14} />
    </button>
  )
}
