import type { agentConfig } from '@busbar/contract'
import { useId, useState } from 'react'
import { formatNumber } from '../../shared/i18n/index.ts'
import { Button, IconButton } from '../../shared/ui/button.tsx'
import { Icon } from '../../shared/ui/icon.tsx'
import { Panel, Row, Stack, Text } from '../../shared/ui/layout/layout.tsx'
import { useAgentConfigText } from './agent-config-text.ts'
import { type Connection, leadsTo, tagsOf, textOf, withTags } from './draft.ts'
import css from './drivers.module.css'
import { NodeTree } from './node-tree.tsx'
import type { Proved } from './proved.ts'
import { RegisterView } from './register-view.tsx'
import { TagTable } from './tag-table.tsx'

type LiveConnection = agentConfig.AgentConfig['connections'][number]

interface ConnectionCardProps {
  machineId: number
  connection: Connection
  /** The values that the agent reads now; undefined if it does not read it yet. */
  live: LiveConnection | undefined
  isEdited: boolean
  explore: 'nodes' | 'registers' | 'none'
  proved: Proved
  isLocked: boolean
  onChange: (next: Connection) => void
  onEdit: () => void
  onRemove: () => void
}

/** The variables that the controller refuses or never answers, the first of them with the agent's reason. */
export function Troubles({ of: { troubleCount, troubles } }: { of: LiveConnection }) {
  const t = useAgentConfigText()
  if (troubleCount === 0) return null
  return (
    <details className={css.troubles}>
      <summary>{t.connections.troubles(formatNumber(troubleCount))}</summary>
      <ul>
        {troubles.map(({ tag, reason }) => (
          <li key={tag}>{t.connections.trouble(tag, reason)}</li>
        ))}
        {troubleCount > troubles.length && <li>…</li>}
      </ul>
    </details>
  )
}

/** A connection with its variables, and the explorer of its controller. */
export function ConnectionCard(props: ConnectionCardProps) {
  const { machineId, connection, live, isEdited, explore, proved, isLocked, onChange, onEdit, onRemove } =
    props
  const t = useAgentConfigText()
  const tags = tagsOf(connection)
  const [isOpen, setOpen] = useState(live === undefined)
  const [isLooking, setLooking] = useState(false)
  const bodyId = useId()
  const name = textOf(connection, 'name')
  const driver = textOf(connection, 'driver')
  const state = live?.state ?? 'draft'
  return (
    <Panel as="article" data-subject="" className={css.card} aria-label={name}>
      <Row gap="4 10" wraps className={css.cardHead}>
        <button
          type="button"
          className={css.opener}
          aria-expanded={isOpen}
          aria-controls={bodyId}
          aria-label={t.connections.open(name)}
          onClick={() => setOpen(!isOpen)}
        >
          <Icon name={isOpen ? 'chevronDown' : 'chevronRight'} />
          <span className={css.state} data-state={state} />
          <Text weight={600} breaks>
            {name}
          </Text>
        </button>
        <Text fixed tone="soft" size={12} className={css.stateWord} data-state={state}>
          {t.connections.states[state]}
        </Text>
        <span className={css.minor}>
          {t.drivers[driver] ?? driver} · {leadsTo(connection)}
        </span>
        {isEdited && <span className={css.chip}>{t.connections.edited}</span>}
        <Text grows tone="quiet" size={12} oneLine numbers to="end" className={css.count}>
          {t.connections.tags(formatNumber(tags.length))}
        </Text>
        <IconButton icon="edit" label={t.connections.edit} onClick={onEdit} disabled={isLocked} />
        <IconButton icon="trash" label={t.connections.remove} onClick={onRemove} disabled={isLocked} />
      </Row>
      {live && <Troubles of={live} />}
      {isOpen && (
        <Stack id={bodyId} line="top" gap={12} className={css.cardBody}>
          <TagTable
            tags={tags}
            group={name}
            place={driver === 'opcua' ? 'nodeId' : 'address'}
            hasFactorRegisters={driver.startsWith('modbus-')}
            isLocked={isLocked}
            onChange={(next) => onChange(withTags(connection, next))}
          />
          {explore !== 'none' && (
            <div>
              <Button
                icon={isLooking ? 'chevronUp' : 'search'}
                aria-expanded={isLooking}
                onClick={() => setLooking(!isLooking)}
              >
                {isLooking ? t.look.close : t.look[explore]}
              </Button>
            </div>
          )}
          {isLooking && explore === 'nodes' && (
            <NodeTree {...{ machineId, connection, proved, isLocked, onChange }} />
          )}
          {isLooking && explore === 'registers' && (
            <RegisterView {...{ machineId, connection, proved, isLocked, onChange }} />
          )}
        </Stack>
      )}
    </Panel>
  )
}
