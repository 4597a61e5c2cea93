import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useMemo } from 'react'
import { useLang } from '../../shared/i18n/index.ts'
import { updatePreferences, usePreferences } from '../../shared/session/preferences.ts'
import { Select } from '../../shared/ui/select/select.tsx'
import css from './chosen-map.module.css'
import { MapCanvas, type MapCanvasProps } from './map-canvas.tsx'
import { findSource, mapSourcesQuery, schematicId, tilesOf } from './map-sources.ts'
import { useMapText } from './map-text.ts'

/** A map over the base map that the person chose; where the operator added none, the schematic one. */
export function ChosenMap(props: Omit<MapCanvasProps, 'tiles' | 'choice'>): ReactNode {
  const t = useMapText().base
  const lang = useLang()
  const { mapSource } = usePreferences()
  const { data: sources, isPending, failureCount } = useQuery(mapSourcesQuery)
  const source = findSource(sources ?? [], mapSource)
  const tiles = useMemo(() => source && tilesOf(source), [source])
  // Another base map is another map, so it is drawn once it is known; a platform that fails leaves the bundled one.
  if (isPending && failureCount === 0) return <div className={css.waiting} aria-busy="true" />
  const choice = sources && sources.length > 0 && (
    <div className={css.choice}>
      <Select
        label={t.label}
        isLabelHidden
        size="small"
        value={String(source?.id ?? schematicId)}
        choices={[
          ...sources.map(({ id, name }) => ({ value: String(id), label: name[lang] })),
          { value: String(schematicId), label: t.schematic },
        ]}
        onChange={(id) => updatePreferences({ mapSource: Number(id) })}
      />
    </div>
  )
  return <MapCanvas {...props} tiles={tiles} choice={choice} />
}
