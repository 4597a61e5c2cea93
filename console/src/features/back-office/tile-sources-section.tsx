import { operator } from '@busbar/contract'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { formatMinute, useLang } from '../../shared/i18n/index.ts'
import { calls } from '../../shared/resource/acts.tsx'
import { Text } from '../../shared/ui/layout/layout.tsx'
import { operatorPages } from './operator-list.tsx'
import { everyBrandQuery, everyTileSourceQuery } from './operator-queries.ts'
import { useOperatorText } from './operator-text.ts'
import { RegisterList } from './register-list.tsx'
import { TileSourceForm } from './tile-source-form.tsx'
import { faultText, useTileSourcesText } from './tile-source-text.ts'

type Row = operator.TileSourceRow

/** The maps that people of each brand choose from, with the last reason why one had no tile. */
export function TileSourcesSection(): ReactNode {
  const all = useOperatorText()
  const t = useTileSourcesText()
  const lang = useLang()
  const { data: brands } = useQuery(everyBrandQuery)
  const { data: every } = useQuery(everyTileSourceQuery)
  const brandOf = ({ brandId }: Row) =>
    brands?.list.find(({ id }) => id === brandId)?.platformName[lang] ?? ''
  const unreviewed = every?.unreviewed.map((name) => name[lang]) ?? []
  return (
    <RegisterList
      id="operator.tileSources"
      title={all.parts.tileSources}
      words={t}
      form={TileSourceForm}
      removes={calls(operator.removeTileSource, ({ id }: Row) => ({ id }))}
      note={unreviewed.length > 0 && <Text tone="warn">{t.unreviewed(unreviewed.join(', '))}</Text>}
      rows={operatorPages(operator.listTileSources, {})}
      titles={t.columns}
      columns={{
        name: {
          kind: 'name',
          value: ({ name }) => name[lang],
          minor: ({ kind }) => t.kinds[kind],
          width: 180,
        },
        brand: { kind: 'text', value: brandOf, rank: 4 },
        reviewNumber: {
          kind: 'text',
          value: 'reviewNumber',
          rank: 2,
          card: 'plain',
          cell: ({ reviewNumber }) => reviewNumber || <Text tone="quiet">{t.noNumber}</Text>,
        },
        zooms: {
          kind: 'text',
          value: ({ minZoom, maxZoom }) => `${minZoom}–${maxZoom}`,
          width: 90,
          grow: 0,
          rank: 5,
        },
        failed: {
          kind: 'text',
          value: (row) => faultText(row, t) ?? '',
          grow: 1.4,
          rank: 3,
          card: 'plain',
          cell: (row) => {
            const fault = faultText(row, t)
            return fault !== undefined && row.failedAt !== null ? (
              <span className="cut">{t.failedAt(fault, formatMinute(row.failedAt))}</span>
            ) : null
          },
        },
      }}
      isRefreshed
      empty={{ icon: 'globe', title: t.empty, hint: t.emptyHint }}
    />
  )
}
