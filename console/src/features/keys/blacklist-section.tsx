import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { blacklistQuery } from '../../entities/access/access-queries.ts'
import { useText } from '../../shared/i18n/index.ts'
import { List } from '../../shared/resource/list.tsx'
import { whole } from '../../shared/resource/rows.ts'
import { Text } from '../../shared/ui/layout/layout.tsx'
import { useAdministration } from './administration.ts'
import { usePersonActs } from './person-acts.ts'
import { accountOf, personColumn } from './person-cell.tsx'
import css from './rows.module.css'

const noGrant = () => undefined

/** The people who are kept out, whatever rights they had. */
export function BlacklistSection() {
  const { machineId, limits, refresh } = useAdministration()
  const t = useText().access
  const { data } = useQuery(blacklistQuery(machineId))
  const { lift } = usePersonActs(noGrant)
  const isLimited = limits.mode !== undefined
  return (
    <List
      id="keys.blacklist"
      title={t.tabs.blacklist}
      lead={t.blacklist.lead}
      rows={whole(blacklistQuery(machineId))}
      rowKey="userId"
      titles={{ ...t.columns, since: t.blacklist.since }}
      columns={{
        person: personColumn(),
        since: { kind: 'time', value: 'since', as: 'ago', grow: 1 },
      }}
      search={t.search}
      searched={accountOf}
      touched={refresh}
      acts={[{ ...lift, isOff: () => isLimited }]}
      isSelectable={!isLimited}
      empty={{
        icon: 'ban',
        title: t.blacklist.empty,
        hint: t.blacklist.emptyHint,
        action: (
          <Link
            to="/administrateCenter"
            search={(before) => ({ ...before, tab: 'visitors' as const })}
            className={css.link}
          >
            {t.blacklist.toVisitors}
          </Link>
        ),
      }}
    >
      {isLimited && data && data.length > 0 && (
        <Text as="p" line="top" pad="12 16" tone="quiet">
          {t.lacks.lift}
        </Text>
      )}
    </List>
  )
}
