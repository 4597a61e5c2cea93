import { demoTank, profiles } from './index.ts'
import { pasteuriserPlant } from './pasteuriser-plant.ts'
import type { TagSpec, TagType, Texts } from './profile.ts'

/** A machine of the demo, as `demo-machines.json` lists it for the platform. */
export interface CatalogueEntry {
  /** `modbus` for the machine behind the Modbus server, `demo` for the one that all users may enter. */
  trade: string
  machineType: string
  model: string
  name: Texts
  remark: Texts
  /** WGS-84. */
  lat: number
  lng: number
  address: Texts
  /** As the contract counts them: 1 automatic, 2 set by hand; ways 1 satellite, 3 base station. */
  locationType: 1 | 2
  locationWay: 1 | 3 | null
  /** Names and units of a machine whose protocol lacks them; absent for others. */
  tags?: CatalogueTag[]
}

/** A variable as people read it. */
export interface CatalogueTag {
  name: string
  type: TagType
  /** By language; `group/{lang}` names the group, `words/{lang}` the meanings of the controller's own words. */
  label: Record<string, string>
  unit: string
  scale: number | null
  min: number | null
  max: number | null
  readOnly: boolean
  isKey: boolean
}

/** The demo's machines: the twelve profiles, the Modbus machine, the demo machine. */
export function listCatalogue(): CatalogueEntry[] {
  return [...profiles, pasteuriserPlant, demoTank].map(
    ({ id, machineType, model, name, remark, speaks, tags, place: { lat, lng, address, source } }) => ({
      trade: id,
      machineType,
      model,
      name,
      remark,
      lat,
      lng,
      address,
      locationType: source === undefined ? 2 : 1,
      locationWay: source === undefined ? null : source === 'gps' ? 1 : 3,
      ...(speaks === 'plain-json' ? { tags: tags.map(tagOf) } : {}),
    }),
  )
}

function tagOf(tag: TagSpec): CatalogueTag {
  const { name, type, displayName, groupName, unit = '', scale = null, min = null, max = null } = tag
  const wordsIn = (lang: keyof Texts) =>
    JSON.stringify(
      Object.fromEntries(Object.entries(tag.words ?? {}).map(([word, texts]) => [word, texts[lang]])),
    )
  return {
    name,
    // The type under which its values are stored.
    type: type === 'int64' ? 'float64' : type,
    label: {
      ...displayName,
      'group/cn': groupName.cn,
      'group/en': groupName.en,
      ...(tag.words ? { 'words/cn': wordsIn('cn'), 'words/en': wordsIn('en') } : {}),
    },
    unit,
    scale: scale ?? (type === 'int64' ? 0 : null),
    min,
    max,
    readOnly: tag.writable !== true,
    isKey: tag.keyTag === true,
  }
}
