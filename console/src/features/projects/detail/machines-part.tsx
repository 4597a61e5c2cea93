import { projects } from '@busbar/contract'
import { projectMachinesQuery, projectsKey } from '../../../entities/project/project-queries.ts'
import { calls } from '../../../shared/resource/acts.tsx'
import { List } from '../../../shared/resource/list.tsx'
import { whole } from '../../../shared/resource/rows.ts'
import { Row } from '../../../shared/ui/layout/layout.tsx'
import { Tag } from '../../../shared/ui/tag.tsx'
import { AddMachinesDialog } from './add-machines-dialog.tsx'
import { useDetailText } from './detail-text.ts'
import type { PartProps } from './part-props.ts'

type Link = projects.ProjectMachine

/** The devices whose values go into a project: who stands for each, what it may do, and why its rows stopped. */
export function MachinesPart({ project }: PartProps) {
  const t = useDetailText().machines
  const { id } = project
  const requestOf = ({ machine_id }: Link) => ({ id, machineId: machine_id })
  const stateOf = ({ stop, online, reported }: Link) =>
    stop ? t.stopped : !online ? t.offline : reported ? t.reported : t.silent
  return (
    <List
      id="project.machines"
      title={t.title}
      lead={t.lead}
      rows={whole(projectMachinesQuery(id))}
      rowKey="machine_id"
      titles={t.columns}
      columns={{
        name: { kind: 'name', value: 'machine_name', minor: ({ machine_code }) => machine_code, grow: 2 },
        state: {
          kind: 'text',
          value: stateOf,
          cell: (link) => (
            <Tag tone={link.stop ? 'bad' : link.reported ? 'good' : 'plain'}>{stateOf(link)}</Tag>
          ),
          minor: ({ stop }) => stop && t.stops[stop],
          width: 190,
          rank: 1,
        },
        last: { kind: 'time', value: 'lastRowAt', as: 'ago', rank: 2 },
        by: { kind: 'text', value: 'addedBy', rank: 4 },
        consents: {
          kind: 'text',
          value: (link) => consentsOf(link, t).join(', ') || t.noConsent,
          cell: (link) => {
            const given = consentsOf(link, t)
            if (given.length === 0) return t.noConsent
            return (
              <Row gap={4} wraps>
                {given.map((word) => (
                  <Tag key={word}>{word}</Tag>
                ))}
              </Row>
            )
          },
          rank: 3,
        },
        since: { kind: 'time', value: 'addedAt', as: 'day', rank: 5 },
      }}
      search={t.search}
      searched={({ machine_code }) => [machine_code]}
      isExported
      touched={[projectsKey]}
      add={{
        label: t.add,
        opens: (close) => <AddMachinesDialog project={project} onClose={close} />,
      }}
      acts={[
        {
          ...calls(projects.takeProjectMachineOver, requestOf),
          label: t.takeOver,
          fits: ({ stop }) => stop !== null,
          done: ({ machine_name }) => t.takenOver(machine_name),
        },
        {
          ...calls(projects.removeProjectMachine, requestOf),
          label: t.remove,
          icon: 'trash',
          of: ({ machine_name }) => t.removeTitle(machine_name),
          asks: {
            title: ({ machine_name }) => t.removeTitle(machine_name),
            many: t.removeMany,
            body: t.removeBody,
          },
          done: ({ machine_name }) => t.removed(machine_name),
          doneMany: t.removedMany,
        },
      ]}
      empty={{ icon: 'devices', title: t.empty, hint: t.emptyHint }}
    />
  )
}

function consentsOf({ mayWrite, mayVisit }: Link, t: { write: string; visit: string }): string[] {
  return [...(mayWrite ? [t.write] : []), ...(mayVisit ? [t.visit] : [])]
}
