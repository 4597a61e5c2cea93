import { sites } from '@busbar/contract'
import { useMayEdit } from '../../../entities/enterprise/enterprise-queries.ts'
import { displayState } from '../../../entities/machine/machine-state.ts'
import { type SiteRow, siteListQuery, sitesKey } from '../../../entities/site/site-queries.ts'
import { worstState } from '../../../entities/site/site-state.ts'
import { useText } from '../../../shared/i18n/index.ts'
import { calls } from '../../../shared/resource/acts.tsx'
import { List } from '../../../shared/resource/list.tsx'
import { whole } from '../../../shared/resource/rows.ts'
import type { PageSpace } from '../../../shared/session/page-space.ts'
import { StateGlyph } from '../../../shared/ui/data/state-glyph.tsx'
import { useSitesText } from '../sites-text.ts'
import { useSiteMachines } from '../use-site-machines.ts'
import { useSitesSearch } from '../use-sites-search.ts'
import { SiteDialog } from './site-dialog.tsx'

/** The sites of a space, each in the worst state of its machines. */
export function SitesList({ space }: { space: PageSpace }) {
  const t = useSitesText().list
  const { states } = useText().machines
  const [, update] = useSitesSearch()
  const mayEdit = useMayEdit(space)
  const machines = useSiteMachines(space)
  const stateOf = (site: SiteRow) =>
    worstState(
      site.machines.map((id) => {
        const machine = machines?.get(id)
        return machine && displayState(machine)
      }),
    )
  return (
    <List
      id="sites"
      title={t.title}
      isTitleHidden
      lead={t.lead}
      rows={whole(siteListQuery(space.asked))}
      rowKey="id"
      titles={t.columns}
      columns={{
        name: { kind: 'name', value: 'name', width: 180, grow: 2 },
        state: {
          kind: 'text',
          value: (site) => {
            const state = stateOf(site)
            return state ? states[state] : ''
          },
          cell: (site) => {
            const state = stateOf(site)
            return state ? <StateGlyph state={state} /> : null
          },
          width: 110,
          rank: 1,
        },
        machines: { kind: 'count', value: ({ machines: placed }) => placed.length, width: 80, rank: 3 },
        plans: { kind: 'count', value: 'plans', width: 80, rank: 4 },
        address: { kind: 'text', value: 'address', width: 160, grow: 2, rank: 5, card: 'plain' },
        updated: { kind: 'time', value: 'updatedAt', as: 'ago', width: 130, rank: 6 },
      }}
      search={t.search}
      onOpen={({ id }) => update({ site: id })}
      touched={[sitesKey]}
      acts={
        mayEdit
          ? [
              {
                label: t.edit,
                icon: 'edit',
                place: 'menu',
                opens: (close, site) => <SiteDialog space={space} site={site} onClose={close} />,
              },
              {
                ...calls(sites.deleteSite, ({ id }: SiteRow) => ({ id })),
                label: t.remove,
                icon: 'trash',
                place: 'menu',
                danger: true,
                asks: {
                  title: ({ name }) => t.removeAsk(name),
                  body: t.removeHint,
                },
                done: ({ name }) => t.removed(name),
              },
            ]
          : []
      }
      add={
        mayEdit && {
          label: t.add,
          opens: (close) => (
            <SiteDialog space={space} onClose={close} onAdded={(id) => update({ site: id })} />
          ),
        }
      }
      empty={{ icon: 'building', title: t.empty, hint: mayEdit ? t.emptyHint : t.emptyMember }}
    />
  )
}
