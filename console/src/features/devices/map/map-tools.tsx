import { useMapText } from '../../../entities/place/map-text.ts'
import { useText } from '../../../shared/i18n/index.ts'
import { IconButton } from '../../../shared/ui/button.tsx'
import css from './machine-map.module.css'

interface MapToolsProps {
  readonly onZoom: (step: 1 | -1) => void
  readonly onFit: () => void
  readonly onWorst: () => void
  readonly onSites: () => void
  readonly isNear: boolean
  readonly onNear: () => void
  readonly isDrawing: boolean
  readonly onDraw: () => void
}

/** The buttons on the map. */
export function MapTools(props: MapToolsProps) {
  const t = useMapText().tools
  const { dataCentre } = useText()
  return (
    <div className={css.tools} role="toolbar" aria-label={t.label} aria-orientation="vertical">
      <IconButton icon="plus" label={t.zoomIn} data-tip-side="left" onClick={() => props.onZoom(1)} />
      <IconButton icon="minus" label={t.zoomOut} data-tip-side="left" onClick={() => props.onZoom(-1)} />
      <IconButton icon="expand" label={t.fit} data-tip-side="left" onClick={props.onFit} />
      <IconButton icon="alarm" label={t.worst} data-tip-side="left" onClick={props.onWorst} />
      <IconButton
        icon="locate"
        label={t.near}
        data-tip-side="left"
        aria-pressed={props.isNear}
        onClick={props.onNear}
      />
      <IconButton
        icon="lasso"
        label={props.isDrawing ? t.endLasso : t.lasso}
        data-tip-side="left"
        aria-pressed={props.isDrawing}
        onClick={props.onDraw}
      />
      <IconButton
        icon="building"
        label={dataCentre.tabs.sites}
        data-tip-side="left"
        onClick={props.onSites}
      />
    </div>
  )
}
