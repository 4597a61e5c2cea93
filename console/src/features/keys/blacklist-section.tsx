import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { blacklistQuery } from '../../entities/access/access-queries.ts'
import { useText } from '../../shared/i18n/index.ts'
import { Button } from '../../shared/ui/button.tsx'
import { classes } from '../../shared/ui/classes.ts'
import { RelativeTime } from '../../shared/ui/data/relative-time.tsx'
import { EmptyState } from '../../shared/ui/empty-state.tsx'
import css from '../../shared/ui/people/people.module.css'
import { useAdministration } from './administration.ts'
import { PeopleList } from './people-list.tsx'
import { PersonCell } from './person-cell.tsx'
import { usePersonActions } from './use-person-actions.ts'

const template = 'minmax(170px, 1.6fr) minmax(140px, 1fr) 96px'

/** Who is kept out whatever they once had. */
export function BlacklistSection() {
  const { machineId, limits } = useAdministration()
  const t = useText().access
  const query = useQuery(blacklistQuery(machineId))
  const actions = usePersonActions()
  return (
    <PeopleList
      title={t.tabs.blacklist}
      lead={t.blacklist.lead}
      query={query}
      people={query.data}
      columns={[t.columns.person, t.blacklist.since]}
      template={template}
      row={(person) => (
        <li key={person.userId} className={css.row}>
          <PersonCell person={person} />
          <span className={classes(css.labelled, css.indent)}>
            <span className={css.caption}>{t.blacklist.since}</span>
            <RelativeTime at={person.since} className={css.plain} />
          </span>
          <div className={css.actions}>
            <Button
              size="small"
              disabled={limits.mode !== undefined}
              onClick={() => void actions.lift(person)}
            >
              {t.blacklist.lift}
              <span className="sr-only">{person.name}</span>
            </Button>
          </div>
        </li>
      )}
      empty={
        <EmptyState icon="ban" title={t.blacklist.empty} hint={t.blacklist.emptyHint}>
          <Link
            to="/administrateCenter"
            search={(before) => ({ ...before, tab: 'visitors' as const })}
            className={css.link}
          >
            {t.blacklist.toVisitors}
          </Link>
        </EmptyState>
      }
    >
      {limits.mode && query.data && query.data.length > 0 && <p className={css.quiet}>{t.lacks.lift}</p>}
    </PeopleList>
  )
}
