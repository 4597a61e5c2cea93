import { projects } from '@busbar/contract'
import { machineProjectsQuery } from '../../entities/project/project-queries.ts'
import { call } from '../../shared/api/client.ts'
import { formatMinute } from '../../shared/i18n/index.ts'
import { calls } from '../../shared/resource/acts.tsx'
import { List } from '../../shared/resource/list.tsx'
import { whole } from '../../shared/resource/rows.ts'
import { Tag } from '../../shared/ui/tag.tsx'
import { useAdministration } from './administration.ts'
import { ConsentSwitch } from './consent-switch.tsx'
import { useMachineProjectsText } from './machine-projects-text.ts'

type Project = projects.MachineProject

/** The projects that get the device's values: who added it, and what its Akey allows them beside that. */
export function ProjectsSection() {
  const { machineId, isAkey, refresh } = useAdministration()
  const t = useMachineProjectsText()
  const consent = (project: Project, change: Partial<Pick<Project, 'write' | 'visit'>>) => {
    const { id, write, visit } = { ...project, ...change }
    return call(projects.setProjectConsent, { id, machineId, write, visit })
  }
  const consentColumn = (of: 'write' | 'visit', isWanted: (project: Project) => boolean) =>
    ({
      kind: 'text',
      value: (project: Project) => (project[of] ? t.allowed : t.notAllowed),
      cell: (project: Project) => (
        <ConsentSwitch
          label={t.consentOf(t.columns[of], project.name)}
          checked={project[of]}
          isLocked={!isAkey}
          save={(isOn) => consent(project, { [of]: isOn })}
        />
      ),
      minor: (project: Project) => !isWanted(project) && t.notWanted,
      width: 130,
      grow: 0,
    }) as const
  return (
    <List
      id="keys.projects"
      title={t.title}
      lead={t.lead}
      rows={whole(machineProjectsQuery(machineId))}
      rowKey="id"
      titles={t.columns}
      columns={{
        name: {
          kind: 'name',
          value: 'name',
          minor: ({ owner }) => t.ownedBy(owner),
          tags: ({ stop }) => stop && <Tag tone="warn">{t.stopped}</Tag>,
        },
        by: { kind: 'text', value: 'addedBy', rank: 3 },
        since: { kind: 'time', value: 'addedAt', as: 'day', rank: 4 },
        write: { ...consentColumn('write', ({ wantsWrite }) => wantsWrite), rank: 1 },
        visit: { ...consentColumn('visit', ({ wantsVisit }) => wantsVisit), rank: 2 },
        given: {
          kind: 'text',
          value: ({ consentBy, consentAt }) =>
            consentBy === null || consentAt === null ? null : t.givenBy(consentBy, formatMinute(consentAt)),
          rank: 5,
        },
      }}
      search={t.search}
      touched={refresh}
      acts={
        isAkey
          ? [
              {
                ...calls(projects.withdrawMachine, ({ id }: Project) => ({ machineId, id })),
                label: t.withdraw,
                of: ({ name }) => t.withdrawTitle(name),
                asks: {
                  title: ({ name }) => t.withdrawTitle(name),
                  many: t.withdrawMany,
                  body: t.withdrawBody,
                },
                done: ({ name }) => t.withdrawn(name),
                doneMany: t.withdrawnMany,
              },
            ]
          : []
      }
      empty={{ icon: 'transfer', title: t.empty, hint: t.emptyHint }}
    />
  )
}
