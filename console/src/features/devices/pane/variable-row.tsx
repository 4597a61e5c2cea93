// biome-ignore-all lint/a11y/useSemanticElements: cells of a table with positioned rows, which table elements do not support
import type { telemetry } from '@busbar/contract'
import { useRef } from 'react'
import { useLiveValue } from '../../../entities/machine/live-values.ts'
import { useIsLive } from '../../../shared/api/live.ts'
import { useText } from '../../../shared/i18n/index.ts'
import { IconButton } from '../../../shared/ui/button.tsx'
import { classes } from '../../../shared/ui/classes.ts'
import { RelativeTime } from '../../../shared/ui/data/relative-time.tsx'
import { QualityMark, TagValueText } from '../../../shared/ui/data/tag-value-text.tsx'
import { Icon } from '../../../shared/ui/icon.tsx'
import { Row, Stack, Text } from '../../../shared/ui/layout/layout.tsx'
import { writtenTag } from '../tags/tag-draft.ts'
import { useTagsText } from '../tags/tags-text.ts'
import { SetPointCell } from '../writes/set-point-cell.tsx'
import { SetPointEditor } from '../writes/set-point-editor.tsx'
import { useWriteProgress } from '../writes/set-points.ts'
import { WriteStatus } from '../writes/write-status.tsx'
import css from './pane-variables.module.css'
import { trendTagsMax } from './use-trend.ts'

interface VariableRowProps {
  machineId: number
  tag: telemetry.Tag
  online: boolean
  /** Its colour in the trend; 0: not in it. */
  colour: number
  canDraw: boolean
  /** The trend is full. */
  isFull: boolean
  isKey: boolean
  /** The table has a column for setting: some of its variables can be set. */
  settable: boolean
  /** The caller may set it, and the machine is online. */
  canSet: boolean
  isEditing: boolean
  onEdit: (tag: telemetry.Tag | null) => void
  onToggle: (tag: telemetry.Tag) => void
  /** Undefined if the caller may not edit its description. */
  onDescribe: ((tag: telemetry.Tag) => void) | undefined
  /** Undefined if the machine is in no list of the caller. */
  onMakeKey: ((tag: telemetry.Tag) => void) | undefined
}

/** One tag: a press puts it into the trend, the star makes it the key value, and one that may be set is set in place. */
export function VariableRow(props: VariableRowProps) {
  const { machineId, tag, online, colour, canDraw, isFull, isKey, onToggle, onMakeKey } = props
  const { settable, canSet, isEditing, onEdit, onDescribe } = props
  const tagWords = useTagsText()
  const t = useText().machines
  const live = useLiveValue(tag.tagId)
  const progress = useWriteProgress(tag.tagId)
  const editButton = useRef<HTMLButtonElement>(null)
  const isConnected = useIsLive()
  const quality = online && isConnected ? (live?.quality ?? 'stale') : 'stale'
  const inTrend = colour > 0
  const isPassing = progress?.kind === 'sending' || progress?.kind === 'confirmed'
  // The editor explains its refusal itself.
  const isNoted = progress && !isPassing && !(isEditing && progress.kind === 'refused')
  const blocked = !canDraw || (isFull && !inTrend)
  const toggleLabel = !canDraw
    ? t.variables.notNumeric(tag.name)
    : inTrend
      ? t.variables.removeFromTrend(tag.name)
      : isFull
        ? t.trend.full(trendTagsMax)
        : t.variables.addToTrend(tag.name)
  return (
    <>
      <Row role="cell" data-subject="" shrinks className={css.nameCell}>
        <button
          type="button"
          className={css.toggle}
          aria-pressed={inTrend}
          aria-disabled={blocked || undefined}
          aria-description={toggleLabel}
          data-tip={toggleLabel}
          onClick={() => !blocked && onToggle(tag)}
        >
          <span
            className={classes(css.box, inTrend && css.shown, !canDraw && css.text)}
            style={inTrend ? { background: `var(--chart-${colour})` } : undefined}
          >
            {inTrend && <Icon name="check" size={12} />}
          </span>
          <Stack as="span" shrinks>
            <Text leading={18} className={'cut'}>
              {tag.name}
            </Text>
            {tag.name !== tag.tag && (
              <Text tone="quiet" size="11/14" mono className={'cut'}>
                {tag.tag}
              </Text>
            )}
          </Stack>
        </button>
        {onDescribe && (
          <IconButton
            icon="edit"
            size="small"
            label={tagWords.edit(tag.name)}
            className={css.describe}
            onClick={() => onDescribe(tag)}
          />
        )}
      </Row>
      <Stack role="cell" align="end" shrinks className={css.valueCell}>
        <TagValueText value={live?.value} tag={tag} quality={quality} mark="none" className={css.value} />
        <Row as="span" gap={8} shrinks tone="quiet" size="11/14" oneLine numbers className={css.meta}>
          {progress && isPassing ? (
            <WriteStatus tag={tag} progress={progress} />
          ) : (
            <>
              {live && quality !== 'good' && <QualityMark quality={quality} />}
              <RelativeTime at={live?.time ?? tag.lastAt} precision="seconds" />
            </>
          )}
        </Row>
      </Stack>
      {settable && (
        <Row role="cell" align="stretch" justify="end">
          {canSet && (
            <SetPointCell
              ref={editButton}
              machineId={machineId}
              tag={tag}
              isOpen={isEditing}
              onOpen={() => onEdit(isEditing ? null : tag)}
            />
          )}
        </Row>
      )}
      {onMakeKey && (
        <Row role="cell" align="stretch" justify="end" className={css.keyCell}>
          <IconButton
            icon="star"
            size="small"
            label={isKey ? t.variables.isKey(tag.name) : t.variables.makeKey(tag.name)}
            aria-pressed={isKey}
            className={classes(css.star, isKey && css.isKey)}
            onClick={() => !isKey && onMakeKey(tag)}
          />
        </Row>
      )}
      {isNoted && (
        <div role="cell" className={css.noteCell}>
          <WriteStatus tag={tag} progress={progress} />
        </div>
      )}
      {canSet && isEditing && (
        <div role="cell" className={css.editorCell}>
          <SetPointEditor
            machineId={machineId}
            tag={writtenTag(tag)}
            onClose={() => {
              onEdit(null)
              editButton.current?.focus()
            }}
          />
        </div>
      )}
    </>
  )
}
