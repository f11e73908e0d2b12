//! Draws the plots, on logarithmic scales because engines differ by powers of ten.

use std::ops::Range;
use std::path::Path;

use anyhow::{Result, anyhow};
use plotters::prelude::*;

use crate::growth::Size;
use crate::judge::percentile;
use crate::planet;
use crate::report::Results;

/// Operations of the plot of latency.
const SHOWN: [&str; 5] = ["prefix 3", "typo 1", "city, country", "reverse city", "reverse border"];

/// Operations of the plot of growth.
const GROWING: [&str; 6] = ["prefix 1", "prefix 3", "typo 1", "city, country", "reverse city", "reverse random"];

const WIDTH: u32 = 860;
const ROW: u32 = 22;
const INK: RGBColor = RGBColor(40, 40, 40);
const OURS: RGBColor = RGBColor(0, 110, 180);
const THEIRS: RGBColor = RGBColor(150, 150, 150);
const COLOURS: [RGBColor; 6] = [
    RGBColor(0, 110, 180),
    RGBColor(90, 170, 220),
    RGBColor(200, 80, 40),
    RGBColor(120, 90, 170),
    RGBColor(40, 140, 80),
    RGBColor(150, 190, 60),
];

/// Draws each engine as a bar from p50 to p99, operation by operation.
pub fn latency(path: &Path, engines: &[&str], results: &Results) -> Result<()> {
    let mut rows = Vec::new();
    for operation in SHOWN {
        let found = engines.iter().filter_map(|engine| Some((*engine, results.get(*engine)?.get(operation)?)));
        rows.extend(found.map(|(engine, judged)| (format!("{operation}: {engine}"), engine, judged.p50, judged.p99)));
    }
    let height = ROW * rows.len() as u32 + 110;
    let root = SVGBackend::new(path, (WIDTH, height)).into_drawing_area();
    root.fill(&WHITE).map_err(|error| anyhow!("{error}"))?;
    let mut chart = ChartBuilder::on(&root)
        .margin(14)
        .caption("Time of one question: median to 99th percentile", ("sans-serif", 18, &INK))
        .x_label_area_size(44)
        .y_label_area_size(300)
        .build_cartesian_2d(span(rows.iter().flat_map(|row| [row.2, row.3])).log_scale(), 0.0..rows.len() as f64)
        .map_err(|error| anyhow!("{error}"))?;
    chart
        .configure_mesh()
        .disable_y_mesh()
        .disable_y_axis()
        .y_labels(0)
        .x_label_formatter(&|micros| time(*micros))
        .label_style(("sans-serif", 13, &INK))
        .light_line_style(TRANSPARENT)
        .draw()
        .map_err(|error| anyhow!("{error}"))?;
    for (at, (label, engine, p50, p99)) in rows.iter().rev().enumerate() {
        let colour = if engine.starts_with("Toponym") { OURS } else { THEIRS };
        // A bar of no width would not be seen.
        let corners = [(*p50, at as f64 + 0.25), (p99.max(p50 * 1.02), at as f64 + 0.75)];
        chart.draw_series([Rectangle::new(corners, colour.filled())]).map_err(|error| anyhow!("{error}"))?;
        let middle = chart.backend_coord(&(*p50, at as f64 + 0.5)).1;
        let style = ("sans-serif", 13).into_font().color(&INK);
        root.draw(&Text::new(label.as_str(), (8, middle - 7), style)).map_err(|error| anyhow!("{error}"))?;
    }
    root.present().map_err(|error| anyhow!("{error}"))
}

/// Draws the median of each operation against the number of places.
pub fn growth(path: &Path, sizes: &[Size]) -> Result<()> {
    let of = |operation: &str| -> Vec<(f64, f64)> {
        let median = |size: &Size| size.operations.iter().find(|(name, ..)| name == operation).map(|(_, p50, _)| *p50);
        sizes.iter().filter_map(|size| Some((size.places as f64, median(size)?))).collect()
    };
    let lines: Vec<_> = GROWING.iter().map(|operation| (*operation, of(operation))).collect();
    draw(path, "Median time of one question against the number of places", &|micros| time(*micros), &lines)
}

/// Draws lines on logarithmic scales: each with its name, and its values against numbers of places.
fn draw(path: &Path, caption: &str, value: &dyn Fn(&f64) -> String, lines: &[(&str, Vec<(f64, f64)>)]) -> Result<()> {
    let root = SVGBackend::new(path, (WIDTH, 460)).into_drawing_area();
    root.fill(&WHITE).map_err(|error| anyhow!("{error}"))?;
    let all = || lines.iter().flat_map(|(_, points)| points);
    let mut chart = ChartBuilder::on(&root)
        .margin(14)
        .caption(caption, ("sans-serif", 18, &INK))
        .x_label_area_size(44)
        .y_label_area_size(70)
        .build_cartesian_2d(span(all().map(|point| point.0)).log_scale(), span(all().map(|point| point.1)).log_scale())
        .map_err(|error| anyhow!("{error}"))?;
    chart
        .configure_mesh()
        .x_label_formatter(&|places| count(*places))
        .y_label_formatter(value)
        .label_style(("sans-serif", 13, &INK))
        .light_line_style(TRANSPARENT)
        .draw()
        .map_err(|error| anyhow!("{error}"))?;
    for ((operation, points), colour) in lines.iter().zip(COLOURS) {
        let line = LineSeries::new(points.iter().copied(), colour.stroke_width(2)).point_size(3);
        chart
            .draw_series(line)
            .map_err(|error| anyhow!("{error}"))?
            .label(*operation)
            .legend(move |(x, y)| PathElement::new([(x, y), (x + 16, y)], colour.stroke_width(2)));
    }
    chart
        .configure_series_labels()
        .position(SeriesLabelPosition::UpperLeft)
        .background_style(WHITE.mix(0.8))
        .label_font(("sans-serif", 13, &INK))
        .draw()
        .map_err(|error| anyhow!("{error}"))?;
    root.present().map_err(|error| anyhow!("{error}"))
}

/// Draws the bytes of an index in pages, and of what a question fetches, against the number of places.
pub fn planet(path: &Path, sizes: &[planet::Size]) -> Result<()> {
    let kilobytes = |operation: &str, share: f64| -> Vec<(f64, f64)> {
        let at = |size: &planet::Size| {
            size.operations.get(operation).map(|fetched| percentile(&fetched.kilobytes, share).max(LEAST_KILOBYTES))
        };
        sizes.iter().filter_map(|size| Some((size.places as f64, at(size)?))).collect()
    };
    let of = |bytes: fn(&planet::Size) -> u64| -> Vec<(f64, f64)> {
        sizes.iter().map(|size| (size.places as f64, bytes(size) as f64 / 1e3)).collect()
    };
    let lines = [
        ("all pages", of(|size| size.pages)),
        ("root", of(|size| size.root)),
        ("beginnings, median", kilobytes(planet::BEGINNINGS, 0.5)),
        ("beginnings, 99 of 100", kilobytes(planet::BEGINNINGS, 0.99)),
        ("slips, median", kilobytes(planet::SLIPS, 0.5)),
        ("points, median", kilobytes(planet::POINTS, 0.5)),
    ];
    draw(path, "Kilobytes against the number of places", &|kilobytes| bytes(*kilobytes), &lines)
}

/// A logarithmic scale has no zero.
const LEAST_KILOBYTES: f64 = 1.0;

fn bytes(kilobytes: f64) -> String {
    match kilobytes {
        ..1e3 => format!("{kilobytes} kB"),
        ..1e6 => format!("{} MB", kilobytes / 1e3),
        _ => format!("{} GB", kilobytes / 1e6),
    }
}

/// Returns the powers of ten around the values.
fn span(values: impl Iterator<Item = f64> + Clone) -> Range<f64> {
    let low = values.clone().fold(f64::INFINITY, f64::min);
    let high = values.fold(0.0, f64::max);
    10f64.powf(low.log10().floor())..10f64.powf(high.log10().ceil())
}

fn time(micros: f64) -> String {
    match micros {
        ..1.0 => format!("{} ns", micros * 1e3),
        ..1e3 => format!("{micros} µs"),
        ..1e6 => format!("{} ms", micros / 1e3),
        _ => format!("{} s", micros / 1e6),
    }
}

fn count(places: f64) -> String {
    if places < 1e6 { format!("{} k", places / 1e3) } else { format!("{} M", places / 1e6) }
}
