import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useEffect } from 'react'
import { useMapText } from '../../entities/place/map-text.ts'
import { useText } from '../../shared/i18n/index.ts'
import { enterprisesQuery, personQuery } from '../../shared/session/account-queries.ts'
import { usePreferences } from '../../shared/session/preferences.ts'
import { useSpace } from '../../shared/session/space.ts'
import { Button } from '../../shared/ui/button.tsx'
import { EmptyState } from '../../shared/ui/empty-state.tsx'

/** Leads on to the list of the space that was used last, as a map; or says that the person hides maps. */
export function CloudMapPage(): ReactNode {
  const { hidden: t, label } = useMapText()
  const { profile } = useText().settings.menu
  const { data: person } = useQuery(personQuery)
  const { isSuccess } = useQuery(enterprisesQuery)
  const eid = useSpace()?.eid
  const type = usePreferences().deviceType === 2 ? 2 : 1
  const navigate = useNavigate()
  const mayGoOn = isSuccess && person?.hide_map === false
  useEffect(() => {
    if (!mayGoOn) return
    const listType = 'map'
    void (eid === undefined
      ? navigate({ to: '/index/', search: { listType }, replace: true })
      : navigate({ to: '/device/', search: { type, eid, listType }, replace: true }))
  }, [mayGoOn, eid, type, navigate])
  if (!person?.hide_map) return null
  return (
    <>
      <h1 className="sr-only">{label}</h1>
      <EmptyState icon="map" title={t.title} hint={t.hint(profile)}>
        <Button kind="primary" onClick={() => void navigate({ to: '/index/' })}>
          {t.toList}
        </Button>
        <Button onClick={() => void navigate({ to: '/userInfo' })}>{profile}</Button>
      </EmptyState>
    </>
  )
}
