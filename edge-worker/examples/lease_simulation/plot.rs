//! Draws the figures of the simulation by the number of isolates, as an SVG with three panels.

use std::error::Error;
use std::ops::Range;
use std::path::Path;

use plotters::coord::Shift;
use plotters::prelude::*;

use super::LIMITS;
use super::figures::Figures;
use super::world::SERVICE_US;

const WIDTH: u32 = 1_050;
const HEIGHT: u32 = 420;
const INK: RGBColor = RGBColor(40, 40, 40);

/// Colour of each of the [`LIMITS`], and the demand in relation to it.
const DEMANDS: [(RGBColor, &str); 2] =
    [(RGBColor(27, 108, 168), "half of the limit"), (RGBColor(180, 83, 26), "twice the limit")];

/// Numbers of isolates on the axis.
const ISOLATES: Range<f64> = 0.0..1_050.0;

/// Axes of shares and of waits in milliseconds.
const BUSY: Range<f64> = 0.0..1.0;
const SHARES: Range<f64> = 0.9..1.0;
const WAITS_MS: Range<f64> = 0.0..2_000.0;

/// A value of each case, with what it is called in the legend, and the width of its lines.
type Value = (&'static str, u32, fn(&Figures) -> f64);

type Drawn = Result<(), Box<dyn Error>>;

/// Draws the share of time that the object works, the share that is admitted of what an exact log admits, and how long
/// requests wait.
pub fn plot(path: &Path, figures: &[Figures]) -> Drawn {
    let root = SVGBackend::new(path, (WIDTH, HEIGHT)).into_drawing_area();
    root.fill(&WHITE)?;
    let title = "25,000 requests a second on one key, by the number of isolates";
    let areas = root.titled(title, ("sans-serif", 18).into_font().color(&INK))?.split_evenly((1, 3));
    panel(&areas[0], "share of time that the object works", BUSY, figures, &[("", 2, object_busy)])?;
    panel(&areas[1], "share of what an exact log admits", SHARES, figures, &[("", 2, Figures::share)])?;
    let waits: [Value; 2] =
        [("p50, ", 1, |case| case.wait_ms(0.5) as f64), ("p99, ", 2, |case| case.wait_ms(0.99) as f64)];
    panel(&areas[2], "milliseconds that requests wait", WAITS_MS, figures, &waits)?;
    Ok(root.present()?)
}

fn panel(
    area: &DrawingArea<SVGBackend, Shift>,
    title: &str,
    axis: Range<f64>,
    figures: &[Figures],
    values: &[Value],
) -> Drawn {
    let is_share = axis.end <= 1.0;
    // Where no line is: those that begin at zero rise.
    let corner = if axis.start > 0.0 { SeriesLabelPosition::LowerLeft } else { SeriesLabelPosition::UpperLeft };
    let mut chart = ChartBuilder::on(area)
        .margin(14)
        .caption(title, ("sans-serif", 14, &INK))
        .x_label_area_size(40)
        .y_label_area_size(50)
        .build_cartesian_2d(ISOLATES, axis)?;
    chart
        .configure_mesh()
        .x_desc("isolates")
        .x_labels(5)
        .y_labels(5)
        .x_label_formatter(&|isolates| format!("{isolates:.0}"))
        .y_label_formatter(&|value| if is_share { format!("{value:.2}") } else { format!("{value:.0}") })
        .label_style(("sans-serif", 12, &INK))
        .light_line_style(TRANSPARENT)
        .draw()?;
    for (name, width, value) in values {
        for (limit, (colour, demand)) in LIMITS.iter().zip(DEMANDS) {
            let points = figures.iter().filter(|case| case.case.limit == *limit);
            let points = points.map(|case| (case.case.isolates as f64, value(case)));
            let style = colour.stroke_width(*width);
            chart
                .draw_series(LineSeries::new(points, style).point_size(3))?
                .label(format!("{name}demand is {demand}"))
                .legend(move |(x, y)| PathElement::new([(x, y), (x + 16, y)], style));
        }
    }
    chart
        .configure_series_labels()
        .position(corner)
        .background_style(WHITE.mix(0.8))
        .label_font(("sans-serif", 12, &INK))
        .draw()?;
    Ok(())
}

/// Returns the share of its time that the object works.
fn object_busy(case: &Figures) -> f64 {
    case.calls_a_second() * SERVICE_US as f64 / 1e6
}
