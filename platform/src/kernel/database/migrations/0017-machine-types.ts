import { type Kysely, sql } from 'kysely'

/** Types of machines: what each is called and looks like, and which machines are of it, in the order they are tried. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(machineTypes).execute(db)
}

const machineTypes = `
create table machine_types (
  id bigint generated always as identity primary key,
  type text not null unique check (type <> ''),
  name_cn text not null check (name_cn <> ''),
  name_en text not null check (name_en <> ''),
  pattern text not null default '',
  picture text not null check (picture <> ''),
  place int not null check (place > 0)
);

insert into machine_types (type, name_cn, name_en, picture, place) values
  ('injection-press', '注塑机', 'Injection press', 'injection-press', 1),
  ('chiller', '冷冻机组', 'Chiller', 'chiller', 2),
  ('pump-station', '泵站', 'Pump station', 'pump-station', 3),
  ('cnc', '数控车床', 'CNC lathe', 'cnc', 4),
  ('machining-centre', '加工中心', 'Machining centre', 'machining-centre', 5),
  ('compressor', '空压机', 'Compressor', 'compressor', 6),
  ('oven', '烘烤炉', 'Oven', 'oven', 7),
  ('water-plant', '水处理', 'Water plant', 'water-plant', 8),
  ('cooling-tower', '冷却塔', 'Cooling tower', 'cooling-tower', 9),
  ('packaging', '包装线', 'Packaging line', 'packaging', 10),
  ('oxidiser', '废气焚烧炉', 'Oxidiser', 'oxidiser', 11),
  ('tank', '水箱', 'Tank', 'tank', 12),
  ('plc', '控制器', 'Controller', 'plc', 13),
  ('feeder', '供料系统', 'Material feeder', 'feeder', 14),
  ('pasteuriser', '巴氏杀菌机', 'Pasteuriser', 'pasteuriser', 15);

alter table uploads
  drop constraint uploads_purpose_check,
  add constraint uploads_purpose_check check (purpose in ('logo', 'brand', 'projectImage', 'machineType'));
`
