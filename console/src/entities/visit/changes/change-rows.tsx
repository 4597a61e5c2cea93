import { limits, machines, type visits } from '@busbar/contract'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { formatExact, formatNumber, useText } from '../../../shared/i18n/index.ts'
import { Button } from '../../../shared/ui/button.tsx'
import { Icon } from '../../../shared/ui/icon.tsx'
import { Box, Row, Stack, Text } from '../../../shared/ui/layout/layout.tsx'
import { lazyPart } from '../../../shared/ui/lazy-part.tsx'
import { roleQuery } from '../../access/access-queries.ts'
import css from '../pane-visits.module.css'
import { useValueWords, ValueChange } from '../value-change.tsx'
import { subjectOf, wayWords } from './change-words.ts'
import { useChangesText } from './changes-text.ts'
import { type PutBack, usePutBack } from './use-put-back.ts'

const PutBackDialog = lazyPart(
  () => import('./put-back-dialog.tsx').then((module) => module.PutBackDialog),
  'dialog',
)

interface ChangeRowsProps {
  machineId: number
  sessionId: number
  changes: readonly visits.VisitChange[]
}

/** The changed values of a visit, of which those chosen can be put back by a person who may write. */
export function ChangeRows({ machineId, sessionId, changes }: ChangeRowsProps) {
  const t = useChangesText()
  const { data: role } = useQuery(roleQuery(machineId))
  const { putBack, progressOf } = usePutBack(machineId, sessionId)
  const [chosen, choose] = useState<readonly number[]>([])
  const [asked, ask] = useState<readonly visits.VisitChange[]>()
  const most = limits.putBackMax
  const mayWrite = role !== undefined && role.level >= machines.limitAuthority.visitor && !role.readOnly
  const possible = mayWrite ? changes.flatMap((change) => (change.mayPutBack && change.tagId) || []) : []
  const open = possible.filter((tagId) => !isUnderWay(progressOf(tagId)))
  const chosenOpen = open.filter((tagId) => chosen.includes(tagId))
  const toggle = (tagId: number) =>
    choose(chosen.includes(tagId) ? chosen.filter((other) => other !== tagId) : [...chosen, tagId])
  return (
    <>
      {possible.length > 0 && (
        <Row gap="8 12" wraps>
          <SelectAll
            isAll={open.length > 0 && chosenOpen.length >= Math.min(open.length, most)}
            isSome={chosenOpen.length > 0}
            onChoose={(isAll) => choose(isAll ? open.slice(0, most) : [])}
          />
          <Button
            size="small"
            disabled={chosenOpen.length === 0 || chosenOpen.length > most}
            onClick={() => ask(changes.filter(({ tagId }) => tagId !== null && chosenOpen.includes(tagId)))}
          >
            {t.putBack}
          </Button>
          {possible.length > most && (
            <Text tone="quiet" size={12}>
              {t.most(formatNumber(most))}
            </Text>
          )}
        </Row>
      )}
      <ul>
        {changes.map((change, place) => (
          <Row
            key={change.tagId ?? [change.port, change.unit, change.place].join(' ')}
            as="li"
            gap={10}
            align="start"
            padY={6}
            line={place > 0 || possible.length > 0 ? 'top' : undefined}
          >
            {change.tagId !== null && possible.includes(change.tagId) ? (
              <Choice
                change={change}
                isChosen={chosenOpen.includes(change.tagId)}
                isOff={!open.includes(change.tagId)}
                onToggle={toggle}
              />
            ) : (
              // As wide as a box.
              possible.length > 0 && <Box as="span" padX={8} />
            )}
            <ChangeFacts
              change={change}
              progress={change.tagId === null ? undefined : progressOf(change.tagId)}
            />
          </Row>
        ))}
      </ul>
      {asked && (
        <PutBackDialog
          machineId={machineId}
          changes={asked}
          putBack={async (tagIds) => {
            await putBack(tagIds)
            choose([])
          }}
          onClose={() => ask(undefined)}
        />
      )}
    </>
  )
}

/** Sent, and not known to have failed. */
const isUnderWay = (progress: PutBack | undefined) =>
  progress?.kind === 'sent' && (!progress.end || progress.end.state === 'confirmed')

interface ChoiceProps {
  change: visits.VisitChange
  isChosen: boolean
  isOff: boolean
  onToggle: (tagId: number) => void
}

function Choice({ change: { tagId, tag }, isChosen, isOff, onToggle }: ChoiceProps) {
  const t = useChangesText()
  return (
    <input
      type="checkbox"
      aria-label={t.select(tag)}
      checked={isChosen}
      disabled={isOff}
      onChange={() => tagId !== null && onToggle(tagId)}
    />
  )
}

function ChangeFacts({ change, progress }: { change: visits.VisitChange; progress: PutBack | undefined }) {
  const t = useChangesText()
  return (
    <Stack gap={2} grows>
      <Row gap="0 16" justify="between" align="baseline" wraps leading={18}>
        <Text as="b" breaks shrinks weight={600} mono={change.tagId === null}>
          {subjectOf(change, t)}
        </Text>
        <ValueChange from={change.from} to={change.to} />
      </Row>
      <p className={css.facts}>
        <span>{wayWords(change, t)}</span>
        <span>{formatExact(change.at)}</span>
      </p>
      {progress && <Progress name={change.tag} progress={progress} />}
    </Stack>
  )
}

function SelectAll(props: { isAll: boolean; isSome: boolean; onChoose: (isAll: boolean) => void }) {
  const { isAll, isSome, onChoose } = props
  const t = useChangesText()
  return (
    <Row as="label" gap={8}>
      <input
        type="checkbox"
        checked={isAll}
        ref={(box) => {
          if (box) box.indeterminate = isSome && !isAll
        }}
        onChange={() => onChoose(!isAll)}
      />
      {t.selectAll}
    </Row>
  )
}

/** Whether a value was put back, or why not. */
function Progress({ name, progress }: { name: string; progress: PutBack }) {
  const { pane } = useText().visits
  const t = useChangesText()
  const say = useValueWords()
  const isDone = progress.kind === 'sent' && progress.end?.state === 'confirmed'
  const isWrong = !isUnderWay(progress)
  const kept = progress.kind === 'sent' && isWrong && progress.end?.kept
  const words =
    progress.kind === 'refused'
      ? progress.why
      : [pane.states[progress.end?.state ?? 'sent'], kept && pane.kept(say(kept.value)), progress.end?.reason]
          .filter(Boolean)
          .join(' · ')
  return (
    <Row as="p" gap={4} size="12/16" tone={isWrong ? 'warn' : 'quiet'} role="status">
      {isDone && <Icon name="check" size={12} />}
      {isWrong && <Icon name="warning" size={12} />}
      <span className="sr-only">{t.ofUnchanged(name, words)}</span>
      <span aria-hidden="true">{words}</span>
    </Row>
  )
}
