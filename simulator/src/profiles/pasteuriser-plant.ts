import { type PasteuriserState, startPasteuriser, stepPasteuriser } from '../pasteuriser.ts'
import { countedSince, defineProfile, hourMs, type MachineProfile, minuteMs } from './profile.ts'
import { bool, counter, float, group, int, text } from './tags.ts'

const hold = group('保温', 'Hold')
const product = group('物料', 'Product')
const plant = group('设备', 'Plant')

/** As the register `phase` counts them. */
export const phaseNumbers = { idle: 0, heating: 1, running: 2, diverting: 3 } as const
/** As the panel shows it, in Chinese for everybody. */
export const recipe = '全脂牛奶 72℃'
/** The returning product is so much colder than the held one. */
export const returnBelowK = 3.5
const kWhPerL = 0.021
const litresPerPack = 10

export const energyOf = ({ totalL }: PasteuriserState): number => totalL * kWhPerL
/** The counter of the filler has four digits. */
export const packsOf = ({ totalL }: PasteuriserState): number => Math.floor(totalL / litresPerPack) % 10_000

/** The seed for the Modbus server's faults if no machine is named. */
export const pasteuriserSeed = 'pasteuriser'

/**
 * The machine behind the Modbus TCP server. An agent reports it under the names of `demo-agent.yaml`, so
 * these are here too: its past is sent only under them.
 */
export const pasteuriserPlant: MachineProfile = defineProfile<PasteuriserState>({
  id: 'modbus',
  machineType: 'pasteuriser',
  model: 'PZ-5000',
  firmware: '3.2.0',
  network: { kind: 'ETH' },
  speaks: 'sparkplug',
  presence: 'steady',
  name: { cn: '巴氏杀菌机 PZ-5', en: 'Pasteuriser PZ-5' },
  remark: { cn: '奶处理', en: 'Dairy' },
  place: {
    lat: 40.7096,
    lng: 111.5642,
    address: {
      cn: '内蒙古呼和浩特市土默特左旗金山开发区乳品厂',
      en: 'Dairy plant, Jinshan Development Zone, Tumd Left Banner, Hohhot, Inner Mongolia, China',
    },
  },
  tags: [
    float(hold, 'hold_temp', '保温段温度', 'Hold temp.', '°C', [0, 100], { deadband: 0.05, keyTag: true }),
    float(hold, 'hold_temp_sp', '保温温度设定', 'Hold set-point', '°C', [65, 90], { writable: true }),
    float(hold, 'hot_water_temp', '热水温度', 'Hot-water temp.', '°C', [0, 100], { deadband: 0.1 }),
    float(hold, 'steam_valve', '蒸汽阀开度', 'Steam valve', '%', [0, 100], { deadband: 0.5 }),
    bool(hold, 'low_temp_alarm', '保温温度低', 'Hold temp. low'),
    float(product, 'inlet_temp', '进料温度', 'Inlet temp.', '°C', [0, 30], { deadband: 0.05 }),
    float(product, 'outlet_temp', '出料温度', 'Outlet temp.', '°C', [0, 30], { deadband: 0.05 }),
    float(product, 'outlet_temp_sp', '出料温度设定', 'Outlet set-point', '°C', [2, 8], { writable: true }),
    float(product, 'flow', '流量', 'Flow', 'L/h', [0, 8000], { scale: 0, deadband: 8 }),
    float(product, 'flow_sp', '流量设定', 'Flow set-point', 'L/h', [1000, 7000], {
      scale: 0,
      writable: true,
    }),
    float(product, 'pressure', '压力', 'Pressure', 'bar', [0, 8], { scale: 2, deadband: 0.02 }),
    int(product, 'total_volume', '累计产量', 'Total volume', 'L', counter),
    float(product, 'energy', '累计电量', 'Energy', 'kWh', counter),
    text(product, 'batch', '批次', 'Batch', {}),
    text(product, 'recipe', '配方', 'Recipe', {}),
    int(product, 'packs', '灌装数', 'Packs filled', '', [0, 9_999]),
    float(product, 'return_temp', '回流温度', 'Return temp.', '°C', [0, 100]),
    bool(plant, 'plant_on', '设备启动', 'Plant on', { writable: true }),
    int(plant, 'phase', '阶段', 'Phase', '', [0, 3]),
    bool(plant, 'diverting', '回流阀', 'Divert valve'),
    float(plant, 'product_pump', '物料泵频率', 'Product pump', 'Hz', [0, 50], { deadband: 0.2 }),
    bool(plant, 'pump_runs', '物料泵运行', 'Pump runs'),
    int(plant, 'run_time', '运行时间', 'Run time', 's', counter),
  ],
  faults: [{ id: 'steam', everyMs: 45 * hourMs, developsMs: 7 * hourMs, standsMs: 20 * minuteMs }],
  alarms: [
    {
      id: 'LOW-TEMP',
      level: 'critical',
      text: { cn: '保温温度低', en: 'Hold temp. low' },
      raised: (state) => state.lowTempAlarm,
    },
  ],
  start: (_, at) => ({
    ...startPasteuriser(),
    // Registers of 32 bits: it counts this year's milk.
    totalL: countedSince(at, 4_700) % 1_000_000_000,
    runS: countedSince(at, 3_400),
  }),
  step: (state, dtMs, now) => stepPasteuriser(state, dtMs, now.random, now.severityOf),
  read: (state) => ({
    hold_temp: state.holdC,
    hold_temp_sp: state.holdSetC,
    hot_water_temp: state.hotWaterC,
    steam_valve: state.steamPercent,
    low_temp_alarm: state.lowTempAlarm,
    inlet_temp: state.inletC,
    outlet_temp: state.outletC,
    outlet_temp_sp: state.coolSetC,
    flow: state.flowLH,
    flow_sp: state.flowSetLH,
    pressure: state.pressureBar,
    total_volume: state.totalL,
    energy: energyOf(state),
    batch: state.batch,
    recipe,
    packs: packsOf(state),
    return_temp: state.holdC - returnBelowK,
    plant_on: state.enabled,
    phase: phaseNumbers[state.phase],
    diverting: state.diverting,
    product_pump: state.productPumpHz,
    pump_runs: state.flowLH > 50,
    run_time: state.runS,
  }),
})
