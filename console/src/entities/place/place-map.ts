import fineLand from 'virtual:land-50m'
import gcoord from 'gcoord'
import { GeoJSONSource, Map as LibreMap, ScaleControl, setWorkerUrl } from 'maplibre-gl'
import workerUrl from 'maplibre-gl/dist/maplibre-gl-worker.mjs?url'
import { displayStates } from '../../shared/ui/data/display-state.ts'
import { cityFeatures, readCities } from './map-cities.ts'
import { type MapColours, readColours } from './map-colours.ts'
import { type Drawn, diffPoints, featuresOf } from './map-features.ts'
import { clusterImagePrefix, drawCluster, drawMark, markImage, markRatio } from './map-marks.ts'
import type { MapBounds, MapPoint, MapView, Place } from './map-point.ts'
import { bundledZoomMax, fineLandZoom, landLayers, layers, paintsOf, sources, styleOf } from './map-style.ts'
import type { MapTiles } from './map-tiles.ts'

// A file of its own, so that the page's policy admits no script from `blob:`.
setWorkerUrl(new URL(workerUrl, import.meta.url).href)

/** Acts of people on the map. */
export interface MapEvents {
  readonly onOpen: (id: number) => void
  /** A cluster that no zoom takes apart: its machines. */
  readonly onCluster: (ids: readonly number[]) => void
  readonly onHover: (hovered: Hovered | undefined) => void
  readonly onView: (view: MapView, bounds: MapBounds) => void
}

/** The mark or cluster under the pointer, and where on the map’s area that is. */
export interface Hovered {
  readonly x: number
  readonly y: number
  readonly id?: number
  /** Of a cluster: how many machines of each state. */
  readonly counts?: Readonly<Record<(typeof displayStates)[number], number>>
}

interface PlaceMapOptions {
  readonly container: HTMLElement
  /** Where the scale is shown. */
  readonly scale: HTMLElement
  readonly label: string
  readonly lang: 'cn' | 'en'
  /** Without one, the whole world. */
  readonly view: MapView | undefined
  readonly tiles: MapTiles | undefined
  readonly events: () => MapEvents
}

/** Of the map's area. */
export type Pixel = [x: number, y: number]

const pressPixels = 5
/** A map that is not still yet is drawn at least this often, in ms. */
const frameMsMax = 1_000
const fitPadding = 60
/** One machine alone is shown among its surroundings. */
const fitZoomMax = 6
const leavesMax = 500
const halfTurn = 180

const wrapLng = (lng: number) => ((((lng + halfTurn) % 360) + 360) % 360) - halfTurn

/** The map itself: what a page's canvas draws on, without React. */
export class PlaceMap {
  readonly map: LibreMap
  readonly #events: () => MapEvents
  readonly #zoomMax: number
  readonly #isGcj: boolean
  #colours: MapColours = readColours()
  #points: ReadonlyMap<number, MapPoint> = new Map()
  readonly #scale = new ScaleControl({ maxWidth: 96 })
  readonly #ready: Promise<void>
  #isGone = false

  constructor({ container, scale, label, lang, view, tiles, events }: PlaceMapOptions) {
    this.#events = events
    this.#zoomMax = tiles?.maxZoom ?? bundledZoomMax
    this.#isGcj = tiles?.system === 'gcj02'
    const map = new LibreMap({
      container,
      style: styleOf(this.#colours, lang, this.#zoomMax),
      center: view ? this.drawn(view) : [100, 25],
      zoom: view?.zoom ?? 1,
      maxZoom: this.#zoomMax,
      attributionControl: false,
      boxZoom: false,
      dragRotate: false,
      pitchWithRotate: false,
      fadeDuration: 0,
      locale: { 'Map.Title': label },
    })
    this.map = map
    map.touchZoomRotate.disableRotation()
    map.keyboard.disableRotation()
    // Above the line of the source, however long that is: the map's own corners would lie under it.
    scale.append(this.#scale.onAdd(map))
    map.setMissingStyleImageResolver((image) => {
      if (!map.hasImage(image)) map.addImage(image, this.#draw(image), { pixelRatio: markRatio })
    })
    this.#ready = new Promise((resolve) => {
      map.once('load', () => resolve())
    })
    for (const state of displayStates)
      map.once('styledata', () => {
        if (!map.hasImage(markImage(state)))
          map.addImage(markImage(state), this.#draw(markImage(state)), { pixelRatio: markRatio })
      })
    void this.whenReady(() => {
      if (tiles) this.#addTiles(tiles)
      else this.#addLand(lang)
    })
    this.#listen()
    this.#tellBusy()
  }

  /** Where a place is drawn on this base map. */
  readonly drawn: Drawn = ({ lat, lng }) =>
    this.#isGcj ? gcoord.transform([lng, lat], gcoord.WGS84, gcoord.GCJ02) : [lng, lat]

  /** The place of a drawn position. */
  placeOf({ lat, lng }: Place): Place {
    if (!this.#isGcj) return { lat, lng: wrapLng(lng) }
    const [placeLng, placeLat] = gcoord.transform([wrapLng(lng), lat], gcoord.GCJ02, gcoord.WGS84)
    return { lat: placeLat, lng: placeLng }
  }

  /** Runs once sources and layers can be added; never after the map is gone. */
  async whenReady(act: () => void): Promise<void> {
    await this.#ready
    if (!this.#isGone) act()
  }

  setPoints(points: readonly MapPoint[]): void {
    const next = new Map(points.map((point) => [point.id, point]))
    const before = this.#points
    this.#points = next
    void this.whenReady(() => {
      const source = this.#source(sources.points)
      if (!source) return
      if (before.size === 0) return source.setData(featuresOf(points, this.drawn))
      const diff = diffPoints(before, next, this.drawn)
      return diff && source.updateData(diff)
    })
  }

  /** Rings around chosen marks, and around the one that the pointer is on elsewhere. */
  setRings(chosen: readonly Place[], hovered: Place | undefined): void {
    const ring = (place: Place, kind: string): GeoJSON.Feature => ({
      type: 'Feature',
      properties: { kind },
      geometry: { type: 'Point', coordinates: this.drawn(place) },
    })
    const features = chosen.map((place) => ring(place, 'chosen'))
    if (hovered) features.push(ring(hovered, 'hovered'))
    void this.whenReady(() => this.#source(sources.rings)?.setData({ type: 'FeatureCollection', features }))
  }

  /** Draws everything in the colours of the theme on screen. */
  setTheme(): void {
    this.#colours = readColours()
    void this.whenReady(() => {
      const { map } = this
      for (const [layer, paints] of Object.entries(paintsOf(this.#colours))) {
        if (!map.getLayer(layer)) continue
        for (const [name, value] of Object.entries(paints))
          map.setPaintProperty(layer, name as 'fill-color', value as string)
      }
      for (const image of map.listImages()) map.updateImage(image, this.#draw(image))
    })
  }

  setLang(lang: 'cn' | 'en'): void {
    void this.whenReady(() => {
      if (this.map.getLayer(layers.cities))
        this.map.setLayoutProperty(layers.cities, 'text-field', ['get', lang])
    })
  }

  get view(): MapView {
    return { ...this.placeOf(this.map.getCenter()), zoom: this.map.getZoom() }
  }

  get bounds(): MapBounds {
    const drawn = this.map.getBounds()
    if (drawn.getEast() - drawn.getWest() >= 2 * halfTurn)
      return { west: -halfTurn, east: halfTurn, south: drawn.getSouth(), north: drawn.getNorth() }
    const [low, high] = [this.placeOf(drawn.getSouthWest()), this.placeOf(drawn.getNorthEast())]
    return { west: low.lng, east: high.lng, south: low.lat, north: high.lat }
  }

  /** Shows all of the places at once, by the shorter way around the earth. */
  fit(places: readonly Place[]): void {
    if (places.length === 0) return
    const lngs = places.map(({ lng }) => lng).sort((a, b) => a - b)
    const lats = places.map(({ lat }) => lat)
    let [west, widest] = [lngs[0] ?? 0, (lngs[0] ?? 0) + 360 - (lngs.at(-1) ?? 0)]
    lngs.forEach((lng, place) => {
      const gap = lng - (lngs[place - 1] ?? lng)
      if (gap > widest) [west, widest] = [lng, gap]
    })
    const east = west + 360 - widest
    const [south, north] = [Math.min(...lats), Math.max(...lats)]
    this.map.fitBounds([this.drawn({ lng: west, lat: south }), this.drawn({ lng: east, lat: north })], {
      padding: fitPadding,
      maxZoom: fitZoomMax,
      duration: 400,
    })
  }

  /** Goes to a place; never farther away than the person already looks. `below`: pixels under the middle. */
  goTo(place: Place, zoom = 0, below = 0): void {
    this.map.easeTo({
      center: this.drawn(place),
      zoom: Math.min(this.#zoomMax, Math.max(this.map.getZoom(), zoom)),
      offset: [0, below],
      duration: 400,
    })
  }

  /** Whether a box of screen pixels covers no mark, cluster or name. */
  isFree(box: [Pixel, Pixel]): boolean {
    return this.#marksIn(box).length === 0
  }

  /** The marks inside of an outline of screen pixels. */
  idsWithin(outline: readonly { readonly x: number; readonly y: number }[]): number[] {
    const ids: number[] = []
    for (const point of this.#points.values()) {
      const { x, y } = this.map.project(this.drawn(point))
      if (isInside(outline, x, y)) ids.push(point.id)
    }
    return ids
  }

  remove(): void {
    this.#isGone = true
    this.#scale.onRemove()
    this.map.remove()
  }

  #source(name: string): GeoJSONSource | undefined {
    const source = this.map.getSource(name)
    return source instanceof GeoJSONSource ? source : undefined
  }

  #draw(image: string): ImageData {
    if (image.startsWith(clusterImagePrefix)) return drawCluster(image, this.#colours)
    const state = displayStates.find((known) => markImage(known) === image) ?? 'online'
    return drawMark(state, this.#colours)
  }

  #addTiles(tiles: MapTiles): void {
    const { map } = this
    map.addSource(sources.tiles, {
      type: 'raster',
      tiles: [new URL(tiles.url, location.href).href.replaceAll('%7B', '{').replaceAll('%7D', '}')],
      tileSize: 256,
      minzoom: tiles.minZoom,
      maxzoom: tiles.maxZoom,
    })
    map.addLayer({ id: layers.tiles, type: 'raster', source: sources.tiles }, layers.cities)
    for (const layer of [layers.coarseLand, layers.coarseCoast]) map.removeLayer(layer)
  }

  #addLand(lang: 'cn' | 'en'): void {
    const { map } = this
    const refine = () => {
      if (map.getZoom() < fineLandZoom - 0.5) return
      map.off('zoom', refine)
      map.addSource(sources.fineLand, {
        type: 'geojson',
        data: new URL(fineLand, location.href).href,
        maxzoom: this.#zoomMax,
      })
      const [fill, coast] = [layers.fineLand, layers.fineCoast]
      for (const layer of landLayers([fill, coast], sources.fineLand, this.#colours))
        map.addLayer({ ...layer, minzoom: fineLandZoom }, layers.cities)
      const swap = () => {
        if (!map.isSourceLoaded(sources.fineLand)) return
        map.off('sourcedata', swap)
        // Until then the coarse land stands in.
        for (const layer of [layers.coarseLand, layers.coarseCoast])
          map.setLayerZoomRange(layer, 0, fineLandZoom)
      }
      map.on('sourcedata', swap)
    }
    map.on('zoom', refine)
    refine()
    this.setLang(lang)
    // A map without names is still one: they are read again with the next map.
    void readCities().then(
      (cities) => this.#source(sources.cities)?.setData(cityFeatures(cities)),
      () => undefined,
    )
  }

  #at({ x, y }: { x: number; y: number }) {
    return this.#marksIn([
      [x - pressPixels, y - pressPixels],
      [x + pressPixels, y + pressPixels],
    ])[0]
  }

  #marksIn(box: [Pixel, Pixel]) {
    const asked = [layers.marks, layers.clusters].filter((layer) => this.map.getLayer(layer))
    return this.map.queryRenderedFeatures(box, { layers: asked })
  }

  /**
   * Says on its element whether the map is still being drawn: pictures and tests wait for it. A map is found still in a
   * frame, and a tile that fails draws none.
   */
  #tellBusy(): void {
    const { map } = this
    const element = map.getContainer()
    let nextFrame: ReturnType<typeof setTimeout> | undefined
    element.ariaBusy = 'true'
    map.on('render', () => {
      if (element.ariaBusy !== 'true') element.ariaBusy = 'true'
      clearTimeout(nextFrame)
      nextFrame = setTimeout(() => map.triggerRepaint(), frameMsMax)
    })
    map.on('idle', () => {
      clearTimeout(nextFrame)
      element.ariaBusy = 'false'
    })
    map.on('remove', () => clearTimeout(nextFrame))
  }

  #listen(): void {
    const { map } = this
    const tell = () => this.#events().onView(this.view, this.bounds)
    map.on('moveend', tell)
    void this.whenReady(tell)
    map.on('click', ({ point }) => {
      const found = this.#at(point)
      if (!found) return
      const { properties, geometry } = found
      if (!properties.cluster) return this.#events().onOpen(Number(properties.id))
      if (geometry.type === 'Point') void this.#openCluster(properties.cluster_id, geometry.coordinates)
    })
    let asked = false
    map.on('mousemove', ({ point }) => {
      if (asked) return
      asked = true
      requestAnimationFrame(() => {
        asked = false
        if (map.isMoving()) return
        const found = this.#at(point)
        map.getCanvas().style.cursor = found ? 'pointer' : ''
        this.#events().onHover(found && hoveredOf(found.properties, point))
      })
    })
    map.on('mouseout', () => this.#events().onHover(undefined))
    map.on('movestart', () => this.#events().onHover(undefined))
  }

  async #openCluster(id: number, coordinates: GeoJSON.Position): Promise<void> {
    const source = this.#source(sources.points)
    if (!source) return
    try {
      const zoom = await source.getClusterExpansionZoom(id)
      const [lng = 0, lat = 0] = coordinates
      if (zoom <= this.#zoomMax) return void this.map.easeTo({ center: [lng, lat], zoom, duration: 400 })
      const leaves = await source.getClusterLeaves(id, leavesMax, 0)
      this.#events().onCluster(leaves.map((leaf) => Number(leaf.properties?.id)))
    } catch {
      // The points changed since it was drawn, and with them the clusters: the next press finds the new one.
    }
  }
}

function hoveredOf(properties: Record<string, unknown>, { x, y }: { x: number; y: number }): Hovered {
  if (!properties.cluster) return { x, y, id: Number(properties.id) }
  const counts = Object.fromEntries(displayStates.map((state) => [state, Number(properties[state] ?? 0)]))
  return { x, y, counts: counts as NonNullable<Hovered['counts']> }
}

/** By the number of edges that lie beyond, as any polygon is tested. */
function isInside(
  outline: readonly { readonly x: number; readonly y: number }[],
  x: number,
  y: number,
): boolean {
  let inside = false
  outline.forEach((a, place) => {
    const b = outline.at(place - 1)
    if (b && a.y > y !== b.y > y && x < ((b.x - a.x) * (y - a.y)) / (b.y - a.y) + a.x) inside = !inside
  })
  return inside
}
