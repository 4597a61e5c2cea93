import type { ReactNode } from 'react'
import { DataCentre } from '../../entities/data-centre/data-centre.tsx'
import { ExportsList } from './exports-list.tsx'

/** The exports of a person. */
export function ExportsPage(): ReactNode {
  return <DataCentre tab="exports">{(space) => <ExportsList space={space} />}</DataCentre>
}
